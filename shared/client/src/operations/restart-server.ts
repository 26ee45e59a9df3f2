// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `restart_server`: Restart a server.
 */
export interface RestartServerInput {
  /**
   * Its name in the composition.
   */
  server: string;
}

/**
 * The answer of `restart_server`.
 */
export interface RestartServerOutput {
  server: string;
  status: 'running' | 'unavailable';
  reason?: string;
  tools?: number;
}
