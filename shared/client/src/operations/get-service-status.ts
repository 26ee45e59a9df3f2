// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `get_service_status`: Get the status of all servers.
 */
export interface GetServiceStatusInput {}

/**
 * The answer of `get_service_status`.
 */
export interface GetServiceStatusOutput {
  service: string;
  status: 'running' | 'degraded' | 'down';
  configuration?: {
    status: 'current' | 'refused';
    /**
     * Why the changed file is refused; the one before it stays in force.
     */
    reason?: string;
  };
  components: {
    [k: string]: {
      status: 'running' | 'unavailable';
      reason?: string;
      tools?: number;
      /**
       * Texts that are stored and have no vector yet, of all users: words alone find them until then.
       */
      waiting_count?: number;
      /**
       * Its jobs by state, of all users.
       */
      jobs?: {
        queued: number;
        running: number;
        /**
         * Those of the last 30 days.
         */
        done: number;
        failed: number;
        dead: number;
        /**
         * Those of the last 30 days.
         */
        cancelled: number;
      };
      /**
       * The service that this server is, where its own name is another.
       */
      service?: string;
      /**
       * The newest calls, 200 at most: how many failed, and within how long half and 95 of 100 were answered.
       */
      calls?: {
        count: number;
        failed: number;
        p50_ms?: number;
        p95_ms?: number;
      };
    };
  };
}
