// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_activity`: List activity.
 */
export interface ListActivityInput {
  /**
   * Only calls about this user.
   */
  user_id?: string;
  /**
   * Only calls whose operation has these characters.
   */
  operation?: string;
  outcome?: 'ok' | 'failed';
  limit?: number;
}

/**
 * The answer of `list_activity`.
 */
export interface ListActivityOutput {
  calls: {
    time: string;
    /**
     * The key or the account that called.
     */
    who: string;
    operation: string;
    /**
     * The users or projects that it was about.
     */
    subjects: string[];
    /**
     * "ok", or the code of the error.
     */
    outcome: string;
  }[];
}
