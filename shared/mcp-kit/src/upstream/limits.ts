import pLimit, { type LimitFunction } from 'p-limit';
import type { ServerEntry } from './composition/config.ts';

/** How many calls each server has at a time, by name. */
export type Limits = ReadonlyMap<string, LimitFunction>;

/** Makes the queues of servers whose entry bounds the calls that are under way at once. Sets of upstreams can share them. */
export function createLimits(servers: Readonly<Record<string, ServerEntry>>): Limits {
  return new Map(
    Object.entries(servers).flatMap(([name, { concurrency }]) =>
      concurrency === undefined ? [] : [[name, pLimit(concurrency)] as const],
    ),
  );
}
