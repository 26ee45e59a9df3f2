import { exampleJob, exampleJobInput } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';
import { noJob, toShownJob } from './fields.ts';

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
