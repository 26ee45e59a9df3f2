import { exampleJob, exampleJobInput } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';
import { requireChanged } from './fields.ts';

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
