// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_memories`: List memories.
 */
export interface ListMemoriesInput {
  limit?: number;
  order?: 'newest';
  kind?: 'fact' | 'event' | 'note' | 'typed' | 'entity' | 'agent' | 'project';
  tag?: string;
  /**
   * last_week or 2026-03-01..2026-03-09.
   */
  time_range?: string;
  /**
   * next_cursor of the page before.
   */
  cursor?: string;
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
 * The answer of `list_memories`.
 */
export interface ListMemoriesOutput {
  memories: {
    id: string;
    text: string;
    store: string;
    time?: string;
  }[];
  next_cursor?: string;
  not_asked: {
    store: string;
    reason: string;
  }[];
}
