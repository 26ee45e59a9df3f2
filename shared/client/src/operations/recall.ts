// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `recall`: Recall.
 */
export interface RecallInput {
  query: string;
  limit?: number;
  kind?: 'fact' | 'event' | 'note' | 'typed' | 'entity' | 'agent' | 'project';
  tag?: string;
  /**
   * last_week or 2026-03-01..2026-03-09.
   */
  time_range?: string;
  /**
   * Also this project.
   */
  project?: string;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `recall`.
 */
export interface RecallOutput {
  memories: {
    id: string;
    text: string;
    store: string;
    time?: string;
    score: number;
    relevance: number;
  }[];
  not_asked: {
    store: string;
    reason: string;
  }[];
  instructions_left_out?: number;
  /**
   * How many more were found, and the best relevance of them, 0 to 1.
   */
  withheld?: {
    count: number;
    best_relevance?: number;
  };
}
