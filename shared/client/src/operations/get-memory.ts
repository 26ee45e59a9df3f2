// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `get_memory`: Get a memory.
 */
export interface GetMemoryInput {
  /**
   * As an answer gave it.
   */
  id: string;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `get_memory`.
 */
export interface GetMemoryOutput {
  id: string;
  text: string;
  store: string;
  time?: string;
  /**
   * What had been read.
   */
  original?: string;
  /**
   * As the store has it: its fields are those of the store.
   */
  details: {};
}
