import { type ErrorCode, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { Claim, JobOutcome, JobProgress, JobQueue, Settlement } from '../domain/jobs/job-queue.ts';
import { keepLease } from '../domain/jobs/keep-lease.ts';

/** So often a job is begun before nobody tries it again by himself. */
const MAX_ATTEMPTS = 10;
/** So often one is begun whose worker ends each time, such as for want of memory. */
const MAX_LOST = 50;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

/** What another attempt cannot mend. */
const FINAL: readonly ErrorCode[] = ['invalid', 'forbidden', 'not_found', 'too_large'];

/** Why a job came to nothing, and when to try again: never when `retryInMs` is undefined. */
interface Verdict {
  readonly reason: string;
  readonly retryInMs: number | undefined;
}

/** How long to wait after an attempt: twice as long each time, up to an hour, and not all at the same moment. */
function toWaitMs(attempts: number, random: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return Math.round(full * (0.75 + random / 4));
}

/** Judges an attempt that came to nothing; words of others stay in the log. */
function judgeFailure(error: unknown, attempts: number, random: number): Verdict {
  const isKnown = isContextloomError(error);
  const reason = isKnown ? error.message : 'it failed for a reason that the log of the memory processor has';
  const isFinal = attempts >= MAX_ATTEMPTS || (isKnown && FINAL.includes(error.code));
  return { reason, retryInMs: isFinal ? undefined : toWaitMs(attempts, random) };
}

/** Why a job is not begun again, if its workers ended too often. */
function refuseLost(attempts: number): string | undefined {
  return attempts > MAX_LOST ? `its worker ended ${MAX_LOST} times before it was done` : undefined;
}

/** What the work on a job came to. */
export interface Worked extends JobOutcome {
  /** Why it has to be done once more, such as for want of a model; undefined when all is done. */
  readonly unfinished?: string | undefined;
  /** When there is a budget for the rest of it, if that is what it waits for: waiting is no attempt. */
  readonly waitsUntil?: Date | undefined;
}

/** Does the work of one kind of job. The same job again must add nothing that is there already. */
export type JobHandler = (
  claim: Pick<Claim, 'userId' | 'payload' | 'before'>,
  options: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
) => Promise<Worked>;

/** How jobs are worked on. */
export interface JobRunnerOptions {
  readonly queue: JobQueue;
  /** By the kinds of jobs. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs at once; 0 leaves them to other processes. */
  readonly concurrency: number;
  /** How long a job stays with a worker that is not heard of, in milliseconds. */
  readonly leaseMs: number;
  /** How often the queue is checked for jobs that others added, in milliseconds. */
  readonly pollMs?: number;
  /** Whether there may be jobs: nothing is opened before. */
  readonly hasJobs?: () => boolean;
  readonly newId: () => string;
  readonly random?: () => number;
  readonly log: Log;
}

/** Works on jobs until it is closed. */
export interface JobRunner {
  /** The queue, whose changes this runner learns of at once. */
  readonly queue: JobQueue;
  /** Hands back what is under way once it is at rest, and closes the queue. */
  readonly close: () => Promise<void>;
}

interface Work {
  readonly claim: Claim;
  readonly stop: () => void;
  readonly ended: Promise<void>;
}

const POLL_MS = 1_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const PURGE_MS = 3_600_000;

/** Starts to work on the jobs of a queue. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { queue, concurrency, pollMs = POLL_MS, hasJobs = () => true } = options;
  const atWork = new Map<string, Work>();
  let isClosing = false;
  const look = createLook({ ...options, atWork, isClosing: () => isClosing, onEnded: () => wake() });
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;
  const wake = (): void => {
    if (concurrency === 0 || isClosing) return;
    isAskedAgain = looking !== undefined;
    looking ??= look().finally(() => {
      looking = undefined;
      if (isAskedAgain) wake();
    });
  };
  const wakeIfAny = (): void => {
    if (hasJobs()) wake();
  };
  const timer = setInterval(wakeIfAny, pollMs);
  // A process that has nothing else to do ends.
  timer.unref();
  wakeIfAny();
  const stopWhere = (isMeant: (claim: Claim) => boolean): void => {
    for (const { claim, stop } of atWork.values()) if (isMeant(claim)) stop();
  };
  return {
    queue: watchQueue(queue, { wake, stopWhere }),
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await looking;
      stopWhere(() => true);
      await Promise.all([...atWork.values()].map(({ ended }) => ended));
      await queue.close();
    },
  };
}

interface Looking extends JobRunnerOptions {
  readonly atWork: Map<string, Work>;
  readonly isClosing: () => boolean;
  readonly onEnded: () => void;
}

/** Takes jobs until there are enough, or none is left. */
function createLook({ atWork, onEnded, ...options }: Looking): () => Promise<void> {
  const { queue, concurrency, leaseMs, newId, log, isClosing } = options;
  let [isReachable, purgedAt] = [true, Number.NEGATIVE_INFINITY];
  const take = async (): Promise<void> => {
    while (!isClosing() && atWork.size < concurrency) {
      const claim = await queue.claim({ id: newId(), ms: leaseMs });
      if (claim === undefined) return;
      const stopping = new AbortController();
      const ended = work(claim, stopping, options).finally(() => {
        atWork.delete(claim.lease);
        onEnded();
      });
      atWork.set(claim.lease, { claim, stop: () => stopping.abort(), ended });
    }
  };
  return async () => {
    try {
      await take();
      if (performance.now() - purgedAt > PURGE_MS) {
        purgedAt = performance.now();
        await queue.purge(KEPT_MS);
      }
      isReachable = true;
    } catch (cause) {
      if (isReachable) log.warn({ cause }, 'jobs cannot be taken: it is tried again');
      isReachable = false;
    }
  };
}

/** The queue for those who change it: new work is begun at once, and what is cancelled ends. */
function watchQueue(
  queue: JobQueue,
  { wake, stopWhere }: { readonly wake: () => void; readonly stopWhere: (isMeant: (claim: Claim) => boolean) => void },
): JobQueue {
  return {
    ...queue,
    add: (job) => queue.add(job).finally(wake),
    retry: (id, userId) => queue.retry(id, userId).finally(wake),
    cancel: async (id, userId) => {
      const job = await queue.cancel(id, userId);
      if (job !== undefined) stopWhere((claim) => claim.id === id);
      return job;
    },
    forget: (userId, isDryRun) => {
      const forgetting = queue.forget(userId, isDryRun);
      if (!isDryRun) stopWhere((claim) => claim.userId === userId);
      return forgetting;
    },
  };
}

interface Working extends Pick<JobRunnerOptions, 'queue' | 'handlers' | 'leaseMs' | 'random' | 'log'> {
  readonly isClosing: () => boolean;
}

/** Works on one job to its end, however it ends. */
async function work(claim: Claim, stopping: AbortController, working: Working): Promise<void> {
  const { queue, leaseMs, log, isClosing } = working;
  let progress: JobProgress = { done: 0, total: 0 };
  const keeper = keepLease(() => queue.renew(claim, leaseMs, progress), { leaseMs, onLost: () => stopping.abort() });
  try {
    const settlement = await attempt(claim, working, {
      signal: stopping.signal,
      onProgress: (done, total) => {
        progress = { done, total };
      },
    });
    keeper.stop();
    // Reported at its end too: a short job is over before its lease is renewed.
    await queue.renew(claim, leaseMs, progress);
    if (!stopping.signal.aborted || settlement.state === 'done') await queue.settle(claim, settlement);
    else if (isClosing()) await queue.settle(claim, { state: 'queued' });
  } catch (cause) {
    log.error({ cause, job: claim.id }, 'what became of a job could not be written: it is taken again after its lease');
  } finally {
    keeper.stop();
    await queue.release(claim).catch(() => undefined);
  }
}

async function attempt(
  { kind, userId, payload, attempts, before, id }: Claim,
  { handlers, random = Math.random, log }: Working,
  options: Parameters<JobHandler>[1],
): Promise<Settlement> {
  const lost = refuseLost(attempts);
  if (lost !== undefined) return { state: 'dead', reason: lost };
  const handler = handlers[kind];
  // One of a newer program is left to workers that know it.
  if (handler === undefined) return toSettlement({ reason: `no worker here does ${kind}`, retryInMs: 60_000 });
  try {
    const { unfinished, waitsUntil, ...outcome } = await handler({ userId, payload, before }, options);
    if (unfinished === undefined) return { state: 'done', outcome };
    if (waitsUntil !== undefined) {
      return { state: 'queued', waits: { reason: unfinished, notBefore: waitsUntil.getTime(), outcome } };
    }
    return toSettlement({ ...judgeFailure(undefined, attempts, random()), reason: unfinished }, outcome);
  } catch (cause) {
    if (!options.signal.aborted) log.warn({ cause, job: id }, 'a job failed');
    return toSettlement(judgeFailure(cause, attempts, random()));
  }
}

function toSettlement({ reason, retryInMs }: Verdict, outcome?: JobOutcome): Settlement {
  return retryInMs === undefined ? { state: 'dead', reason, outcome } : { state: 'failed', reason, retryInMs, outcome };
}
