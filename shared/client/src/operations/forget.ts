// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `forget`: Forget a memory.
 */
export interface ForgetInput {
  /**
   * As an answer gave it.
   */
  id: string;
  dry_run?: boolean;
  /**
   * The user whose memory this is.
   */
  user_id?: string;
}

/**
 * The answer of `forget`.
 */
export interface ForgetOutput {
  id: string;
  store: string;
  message: string;
  consequences?: string[];
}
