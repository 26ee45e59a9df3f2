// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `update_memory`: Correct a memory.
 */
export interface UpdateMemoryInput {
  /**
   * As an answer gave it.
   */
  id: string;
  text: string;
  dry_run?: boolean;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `update_memory`.
 */
export interface UpdateMemoryOutput {
  id: string;
  store: string;
  message: string;
  consequences?: string[];
}
