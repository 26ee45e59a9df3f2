import { exampleJob, exampleJobInput } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';
import { requireChanged } from './fields.ts';

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
