// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_users`: List the users of all servers.
 */
export interface ListUsersInput {}

/**
 * The answer of `list_users`.
 */
export interface ListUsersOutput {
  /**
   * By id, in code unit order.
   */
  users: {
    user_id: string;
    stores: {
      server: string;
      counts: {
        /**
         * What was counted, such as events.
         */
        what: string;
        count: number;
      }[];
    }[];
    /**
     * When a call over HTTP was last about the user, ISO 8601 UTC; absent where none of the newest was.
     */
    last_call_at?: string;
  }[];
  stores: {
    server: string;
    bytes?: number;
  }[];
  /**
   * What could not be listed, and why.
   */
  unreached: {
    what: string;
    why: string;
    server: string;
  }[];
}
