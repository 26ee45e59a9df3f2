import type { Log } from '@contextloom/runtime';
import type { Config } from './config.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';
import { createJobRunner, type JobRunner } from './jobs/job-runner.ts';
import type { Databases } from './open-databases.ts';
import { STORE_CONVERSATION } from './operations/jobs/fields.ts';
import { createStoreConversation } from './operations/jobs/store-conversation.ts';
import { createLazyJobQueue } from './store/jobs/lazy-job-queue.ts';

/** What working on jobs needs. */
export interface OpenJobsOptions {
  readonly databases: Databases;
  readonly config: Pick<Config, 'jobLeaseSeconds' | 'undatedTurns'>;
  /** Jobs at once; 0 leaves them to other processes. */
  readonly concurrency: number;
  readonly processor: MemoryProcessor;
  readonly newId: () => string;
  readonly log: Log;
}

/** Opens the jobs that the settings name, at their first need, and works on them. */
export function openJobs({ databases, config, processor, ...running }: OpenJobsOptions): JobRunner {
  const { openJobs: open, hasJobs } = databases;
  return createJobRunner({
    ...running,
    queue: createLazyJobQueue({ open, hasJobs }),
    hasJobs,
    handlers: { [STORE_CONVERSATION]: createStoreConversation({ processor, undatedTurns: config.undatedTurns }) },
    leaseMs: config.jobLeaseSeconds * 1_000,
  });
}
