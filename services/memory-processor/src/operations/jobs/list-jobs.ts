import { exampleJob } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';
import { toShownJob } from './fields.ts';

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
