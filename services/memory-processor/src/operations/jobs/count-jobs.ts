import { COUNT_JOBS } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import type { MemoryProcessorContext } from '../deps.ts';

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
