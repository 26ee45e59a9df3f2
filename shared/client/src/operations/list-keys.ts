// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `list_keys`: List keys.
 */
export interface ListKeysInput {}

/**
 * The answer of `list_keys`.
 */
export interface ListKeysOutput {
  /**
   * Whether callers need a key: from the first one on.
   */
  asked: boolean;
  keys: {
    name: string;
    /**
     * The users that it reaches.
     */
    users: 'all' | string[];
    /**
     * The projects that it reaches.
     */
    projects: 'all' | string[];
    scopes: ('read' | 'write' | 'admin')[];
    /**
     * The servers that take it; all without it.
     */
    servers?: string[];
    created_at: string;
    expires_at?: string;
    is_expired: boolean;
  }[];
}
