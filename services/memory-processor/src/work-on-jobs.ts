import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '@contextloom/runtime';
import type { settings } from './config.ts';
import { createMemoryProcessor } from './create-memory-processor.ts';
import { openDatabases } from './open-databases.ts';
import { openGraphStore } from './open-graph-store.ts';
import { openJobs } from './open-jobs.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { openReaders } from './open-readers.ts';
import { createGraphPeople } from './store/graph-people.ts';
import { createLazyGraphStore } from './store/lazy-graph-store.ts';
import { createLazyMemoryStore } from './store/lazy-memory-store.ts';

/** Each wait is a minute at most. */
const RATE_LIMIT_WAITS = 10;
/** The longest that a timer takes, in milliseconds. */
const LONG = 2 ** 31 - 1;

/** What a worker is started with. */
export interface WorkOptions extends CommandContext<typeof settings> {
  readonly catchInterrupt: () => AbortSignal;
  /** Jobs at once. */
  readonly concurrency: number;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/**
 * Works on jobs until it is interrupted, and hands back what is not done by then.
 * @throws ContextloomError `unavailable` when the jobs cannot be reached
 */
export async function workOnJobs({ config, env, log, catchInterrupt, concurrency, clock, newId }: WorkOptions) {
  const signal = catchInterrupt();
  const open = () => openMemoryStore({ config, env, log, rateLimitWaits: RATE_LIMIT_WAITS });
  const memories = createLazyMemoryStore(open);
  const databases = openDatabases({ config, clock, newId, log });
  const { extractor, judge, budget } = await openReaders(config, { ...databases, clock, log });
  const graph = createLazyGraphStore(() => openGraphStore({ configFile: config.configFile, env, log }));
  const people = createGraphPeople(graph, log);
  const processor = createMemoryProcessor({ memories, extractor, judge, people, threshold: config.threshold });
  const jobs = openJobs({ databases, config, concurrency, processor, memories, graph, budget, clock, newId, log });
  try {
    const { queued, running, failed } = await jobs.queue.count();
    log.info({ concurrency, queued, running, failed }, 'working on jobs');
    while (!signal.aborted) await sleep(LONG, undefined, { signal }).catch(() => undefined);
  } finally {
    await jobs.close();
    await databases.close();
    await graph.close();
    await memories.close();
  }
  return 'The worker ended; what it had not done yet is left to others.';
}
