import { COUNT_JOBS, exampleJob, exampleJobInput } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';
import { noJob, requireChanged, toShownJob } from './fields.ts';

/** Tells how far a job is. */
export const getJob = defineOperation({
  name: 'get_job',
  title: 'Get a job',
  description: 'Tells how far a job is, what came of it and what it cost, or why it came to nothing.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: async ({ user_id: userId, job_id: id }, { deps }: MemoryProcessorContext) => {
    const job = await deps.jobs.find(id, userId);
    if (job === undefined) throw noJob(id);
    return toShownJob(job);
  },
});

/** Lists a user's jobs. */
export const listJobs = defineOperation({
  name: 'list_jobs',
  title: 'List jobs',
  description: "Lists a user's jobs, newest first. What was done or cancelled is listed for 30 days.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_jobs,
  example: { input: { user_id: 'ann' }, output: { jobs: [exampleJob] } },
  run: async ({ user_id: userId, state, limit }, { deps }: MemoryProcessorContext) => ({
    jobs: (await deps.jobs.list(userId, { state, limit })).map(toShownJob),
  }),
});

/** Counts the jobs of all users by state. */
export const countJobs = defineOperation({
  name: COUNT_JOBS,
  title: 'Count jobs',
  description: 'Counts the jobs of all users by state.',
  effect: 'reads',
  // It counts the jobs of every user.
  requires: 'admin',
  scope: 'none',
  ...contract.count_jobs,
  example: {
    input: {},
    output: { jobs: { queued: 2, running: 1, done: 40, failed: 0, dead: 0, cancelled: 0 } },
  },
  run: async (_nothing, { deps }: MemoryProcessorContext) => ({ jobs: await deps.jobs.count() }),
});

/** Ends a job. */
export const cancelJob = defineOperation({
  name: 'cancel_job',
  title: 'Cancel a job',
  description:
    'Ends a job that is not done. What it has saved stays, and so does its conversation for 30 days: retry_job goes on with it.',
  effect: 'replaces',
  hints: { isIdempotent: false, isDestructive: false },
  scope: 'user',
  ...contract.cancel_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: async ({ user_id: userId, job_id: id }, { deps: { jobs } }: MemoryProcessorContext) => {
    const rule = 'there is nothing left to cancel';
    return requireChanged(await jobs.cancel(id, userId), () => jobs.find(id, userId), { id, rule });
  },
});

/** Has a job begun anew. */
export const retryJob = defineOperation({
  name: 'retry_job',
  title: 'Retry a job',
  description: 'Has a job that failed, is dead or was cancelled begun anew at once.',
  effect: 'adds',
  hints: { isIdempotent: false, isOpenWorld: true },
  scope: 'user',
  ...contract.retry_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: async ({ user_id: userId, job_id: id }, { deps: { jobs } }: MemoryProcessorContext) => {
    const rule = 'only one that failed, is dead or was cancelled can be tried again';
    return requireChanged(await jobs.retry(id, userId), () => jobs.find(id, userId), { id, rule });
  },
});
