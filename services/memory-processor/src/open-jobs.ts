import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '@contextloom/runtime';
import type { Config } from './config.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';
import { createJobRunner, type JobRunner } from './jobs/job-runner.ts';
import { STORE_CONVERSATION } from './operations/jobs/fields.ts';
import { createStoreConversation } from './operations/jobs/store-conversation.ts';
import { createLazyJobQueue } from './store/jobs/lazy-job-queue.ts';
import { openPostgresJobs } from './store/jobs/postgres-jobs.ts';
import { JOBS_FILE, openSqliteJobs } from './store/jobs/sqlite-jobs.ts';

/** What working on jobs needs. */
export interface OpenJobsOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'jobLeaseSeconds' | 'undatedTurns'>;
  /** Jobs at once; 0 leaves them to other processes. */
  readonly concurrency: number;
  readonly processor: MemoryProcessor;
  readonly newId: () => string;
  readonly log: Log;
}

/** Opens the jobs that the settings name, at their first need, and works on them. */
export function openJobs({ config, processor, ...running }: OpenJobsOptions): JobRunner {
  const file = join(config.dataDir, JOBS_FILE);
  const { databaseUrl } = config;
  const open = async () =>
    databaseUrl === undefined ? openSqliteJobs(file) : openPostgresJobs(databaseUrl, running.log);
  // Others may have put jobs into a database at any time.
  const hasJobs = (): boolean => databaseUrl !== undefined || existsSync(file);
  return createJobRunner({
    ...running,
    queue: createLazyJobQueue({ open, hasJobs }),
    hasJobs,
    handlers: { [STORE_CONVERSATION]: createStoreConversation({ processor, undatedTurns: config.undatedTurns }) },
    leaseMs: config.jobLeaseSeconds * 1_000,
  });
}
