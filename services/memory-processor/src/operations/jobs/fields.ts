import { ContextloomError, type JobAnswer } from '@contextloom/contracts';
import type { Job } from '../../domain/jobs/job-queue.ts';

/** The kind of a job that reads a conversation and saves its memories. */
export const STORE_CONVERSATION = 'store_conversation';

const toIso = (ms: number): string => new Date(ms).toISOString();

/** A job as answers show it. */
export function toShownJob({ id, kind, state, progress, attempts, reason, outcome, ...times }: Job): JobAnswer {
  const { createdAt, startedAt, endedAt, runAfter } = times;
  return {
    job_id: id,
    kind,
    state,
    progress: { ...progress },
    attempts,
    created_at: toIso(createdAt),
    ...(startedAt !== undefined && { started_at: toIso(startedAt) }),
    ...(endedAt !== undefined && { ended_at: toIso(endedAt) }),
    ...((state === 'failed' || (state === 'queued' && reason !== undefined)) && { next_attempt_at: toIso(runAfter) }),
    ...(reason !== undefined && { reason }),
    ...(outcome !== undefined && { result: outcome.result }),
    ...(outcome?.cost !== undefined && { cost: outcome.cost }),
  };
}

/** The error of a job that is not there, or is another user's. */
export function noJob(id: string): ContextloomError {
  return new ContextloomError('not_found', `there is no job "${id}" of this user`, { field: 'job_id' });
}

/** Shows a job that an operation changed, or says why it changed none. */
export async function requireChanged(
  changed: Job | undefined,
  find: () => Promise<Job | undefined>,
  { id, rule }: { readonly id: string; readonly rule: string },
): Promise<JobAnswer> {
  if (changed !== undefined) return toShownJob(changed);
  const job = await find();
  if (job === undefined) throw noJob(id);
  throw new ContextloomError('conflict', `job "${id}" is ${job.state}: ${rule}`, { field: 'job_id' });
}
