import { COUNT_JOBS } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineJobOperations, defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext, MemoryProcessorDeps } from '../deps.ts';
import { noJob, requireChanged, toShownJob } from './fields.ts';

/** The operations on a user's jobs, in the order that clients see. */
export const jobOperations = defineJobOperations<MemoryProcessorDeps>({
  descriptions: {
    get_job: 'Tells how far a job is, what came of it and what it cost, or why it came to nothing.',
    cancel_job:
      'Ends a job that is not done. What it has saved stays, and so does its conversation for 30 days: retry_job goes on with it.',
  },
  run: {
    get_job: async ({ user_id: userId, job_id: id }, { deps: { jobs } }) => {
      const job = await jobs.find(id, userId);
      if (job === undefined) throw noJob(id);
      return toShownJob(job);
    },
    list_jobs: async ({ user_id: userId, state, limit }, { deps: { jobs } }) => ({
      jobs: (await jobs.list(userId, { state, limit })).map(toShownJob),
    }),
    retry_job: async ({ user_id: userId, job_id: id }, { deps: { jobs } }) => {
      const rule = 'only one that failed, is dead, was cancelled or waits for the budget can be tried again';
      return requireChanged(await jobs.retry(id, userId), () => jobs.find(id, userId), { id, rule });
    },
    cancel_job: async ({ user_id: userId, job_id: id }, { deps: { jobs } }) => {
      const rule = 'there is nothing left to cancel';
      return requireChanged(await jobs.cancel(id, userId), () => jobs.find(id, userId), { id, rule });
    },
  },
});

/** Counts the jobs of all users by state. */
export const countJobs = defineOperation({
  name: COUNT_JOBS,
  title: 'Count jobs',
  description: "Counts the jobs of all users by state, and tells what of the day's budget of the model is used.",
  effect: 'reads',
  // It counts the jobs of every user.
  requires: 'admin',
  scope: 'none',
  ...contract.count_jobs,
  example: {
    input: {},
    output: { jobs: { queued: 2, running: 1, done: 40, failed: 0, dead: 0, cancelled: 0 } },
  },
  run: async (_nothing, { deps: { jobs, budget } }: MemoryProcessorContext) => ({
    jobs: await jobs.count(),
    ...(budget !== undefined && { budget: { ...(await budget.report()), waiting_jobs: await jobs.countWaiting() } }),
  }),
});
