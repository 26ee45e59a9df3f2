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
