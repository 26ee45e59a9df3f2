import { type JobCounts, jobStates } from '@contextloom/contracts';
import { createLazy } from '@contextloom/runtime/scheduling';
import type { JobQueue } from '../../domain/jobs/job-queue.ts';

/** A queue that is opened when it is first needed. */
export interface LazyJobQueueOptions {
  readonly open: () => Promise<JobQueue>;
  /** Whether there may be jobs; a question alone does not make the place where they are kept. */
  readonly hasJobs: () => boolean;
}

const none = Object.fromEntries(jobStates.map((state) => [state, 0])) as JobCounts;

/** A queue of jobs that is opened when it is first needed. */
export function createLazyJobQueue({ open, hasJobs }: LazyJobQueueOptions): JobQueue {
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
    purge: async (olderThanMs) => (await ifThere())?.purge(olderThanMs),
    forget: async (userId, isDryRun) =>
      (await ifThere())?.forget(userId, isDryRun) ?? { erased: [{ what: 'jobs', count: 0 }], unreached: [] },
    close: async () => (await current())?.close(),
  };
}
