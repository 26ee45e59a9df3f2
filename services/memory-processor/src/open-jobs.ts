import { type JobCounts, jobStates } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { createLazy } from '@contextloom/runtime/scheduling';
import type { Config } from './config.ts';
import type { ModelBudget } from './domain/budget/model-budget.ts';
import type { GraphStore } from './domain/graph-store.ts';
import type { JobQueue } from './domain/jobs/job-queue.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';
import type { MemoryStore } from './domain/memory-store.ts';
import { READ_IMPORTED } from './imports/read-later.ts';
import { createJobRunner, type JobRunner } from './jobs/job-runner.ts';
import type { Databases } from './open-databases.ts';
import { STORE_CONVERSATION } from './operations/jobs/fields.ts';
import { createReadImported } from './operations/jobs/read-imported.ts';
import { createStoreConversation } from './operations/jobs/store-conversation.ts';

/** A queue that is opened when it is first needed. */
interface LazyJobQueueOptions {
  readonly open: () => Promise<JobQueue>;
  /** Whether there may be jobs; a question alone does not make the place where they are kept. */
  readonly hasJobs: () => boolean;
}

const none = Object.fromEntries(jobStates.map((state) => [state, 0])) as JobCounts;

/** A queue of jobs that is opened when it is first needed. */
function createLazyJobQueue({ open, hasJobs }: LazyJobQueueOptions): JobQueue {
  const { get, current } = createLazy(open);
  const ifThere = async (): Promise<JobQueue | undefined> => (hasJobs() ? get() : undefined);
  return {
    add: async (job) => (await get()).add(job),
    claim: async (lease) => (await ifThere())?.claim(lease),
    renew: async (claim, leaseMs, progress) => (await get()).renew(claim, leaseMs, progress),
    settle: async (claim, settlement) => (await get()).settle(claim, settlement),
    release: async (claim) => (await get()).release(claim),
    find: async (id, userId) => (await ifThere())?.find(id, userId),
    list: async (userId, selection) => (await ifThere())?.list(userId, selection) ?? [],
    retry: async (id, userId) => (await ifThere())?.retry(id, userId),
    cancel: async (id, userId) => (await ifThere())?.cancel(id, userId),
    count: async () => (await ifThere())?.count() ?? none,
    countWaiting: async () => (await ifThere())?.countWaiting() ?? 0,
    purge: async (olderThanMs) => (await ifThere())?.purge(olderThanMs),
    forget: async (userId, isDryRun) =>
      (await ifThere())?.forget(userId, isDryRun) ?? { erased: [{ what: 'jobs', count: 0 }], unreached: [] },
    close: async () => (await current())?.close(),
  };
}

/** What working on jobs needs. */
export interface OpenJobsOptions {
  readonly databases: Databases;
  readonly config: Pick<Config, 'jobLeaseSeconds' | 'undatedTurns'> & Partial<Pick<Config, 'llmProvider'>>;
  /** Jobs at once; 0 leaves them to other processes. */
  readonly concurrency: number;
  readonly processor: MemoryProcessor;
  readonly memories: MemoryStore;
  readonly graph: Pick<GraphStore, 'remove'>;
  readonly clock: () => Date;
  /** Bounds what the model is asked for; without it nothing does. */
  readonly budget?: ModelBudget | undefined;
  readonly newId: () => string;
  readonly log: Log;
}

/** Opens the jobs that the settings name, at their first need, and works on them. */
export function openJobs(options: OpenJobsOptions): JobRunner {
  const { databases, config, processor, memories, graph, clock, budget, ...running } = options;
  const { undatedTurns } = config;
  const { openJobs: open, openImports, hasJobs } = databases;
  return createJobRunner({
    ...running,
    queue: createLazyJobQueue({ open, hasJobs }),
    hasJobs,
    handlers: {
      [STORE_CONVERSATION]: createStoreConversation({
        processor,
        undatedTurns,
        budget,
        asksCaller: config.llmProvider === 'sampling',
      }),
      [READ_IMPORTED]: createReadImported({ processor, memories, graph, openImports, budget, clock }),
    },
    leaseMs: config.jobLeaseSeconds * 1_000,
  });
}
