// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `add_key`: Make a key.
 */
export interface AddKeyInput {
  /**
   * What it is called: 1 to 64 letters, digits, ".", "_" or "-".
   */
  name: string;
  /**
   * The users that it reaches; without users and projects, all.
   *
   * @minItems 1
   * @maxItems 100
   */
  users?: [string, ...string[]];
  /**
   * The projects that it reaches; without users and projects, all.
   *
   * @minItems 1
   * @maxItems 100
   */
  projects?: [string, ...string[]];
  /**
   * @minItems 1
   */
  scopes?: ['read' | 'write' | 'admin', ...('read' | 'write' | 'admin')[]];
  /**
   * It never ends without it.
   */
  expires_in_days?: number;
}

/**
 * The answer of `add_key`.
 */
export interface AddKeyOutput {
  /**
   * Shown once: it is stored as a hash.
   */
  key: string;
  stored: {
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
  };
}
