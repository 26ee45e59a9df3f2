import pLimit, { type LimitFunction } from 'p-limit';
import type { ServerEntry } from './composition/config.ts';

/** How many calls each server has at a time. Sets of upstreams that reach the same servers share it. */
export interface Limits {
  /** The queue of a server; undefined where its entry sets no bound. */
  readonly of: (server: string, entry: ServerEntry) => LimitFunction | undefined;
}

/** Makes the queues of servers whose entries bound the calls that are under way at once; the newest entry of a name counts. */
export function createLimits(): Limits {
  const queues = new Map<string, LimitFunction>();
  return {
    of: (server, { concurrency }) => {
      if (concurrency === undefined) return undefined;
      const queue = queues.get(server) ?? pLimit(concurrency);
      if (queue.concurrency !== concurrency) queue.concurrency = concurrency;
      queues.set(server, queue);
      return queue;
    },
  };
}
