// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `forget_user`: Forget a user in all servers.
 */
export interface ForgetUserInput {
  /**
   * The user to forget.
   */
  user_id?: string;
  /**
   * Only count what would be erased; false erases it, for good.
   */
  dry_run?: boolean;
}

/**
 * The answer of `forget_user`.
 */
export interface ForgetUserOutput {
  /**
   * The SHA-256 of the user id, in hex: a receipt does not name the user.
   */
  user_sha256: string;
  dry_run: boolean;
  /**
   * The sum of the counts; 0 when nothing is left.
   */
  total: number;
  /**
   * When it was done, ISO 8601 UTC.
   */
  at: string;
  servers: {
    server: string;
    /**
     * What this server erased, or would erase.
     */
    erased: {
      /**
       * What was counted, such as events.
       */
      what: string;
      count: number;
    }[];
    total: number;
  }[];
  /**
   * What could not be erased, and why; a server that did not answer is here too.
   */
  unreached: {
    what: string;
    why: string;
    server: string;
  }[];
}
