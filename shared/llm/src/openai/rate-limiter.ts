import pLimit from 'p-limit';

/** How calls to an endpoint are rate-limited. */
export interface RateLimiterOptions {
  /** Calls at once. */
  readonly concurrency: number;
  /** Tries of one call that fails, the first among them. */
  readonly attempts: number;
  /** How long one call may be told to come back later, in milliseconds. */
  readonly patienceMs: number;
  /** Waits for so many milliseconds, or rejects when the signal is given. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** What to do after a failed try; `busy`: the endpoint takes no calls for now. */
export type Verdict =
  | { readonly kind: 'fail' }
  | { readonly kind: 'retry' | 'busy'; readonly afterMs: number | undefined };

/** Runs a call, again after failures that may pass. */
export type RateLimiter = <T>(
  work: () => Promise<T>,
  judge: (error: unknown) => Verdict,
  signal: AbortSignal | undefined,
) => Promise<T>;

const FIRST_BACKOFF_MS = 500;
const MAX_WAIT_MS = 60_000;

/**
 * Builds the limiter of an endpoint: at most so many calls at once, and after one was told to come back later, none before
 * then. Retries wait longer each time, with full jitter (Marc Brooker, Exponential Backoff And Jitter, 2015).
 */
export function createRateLimiter({
  concurrency,
  attempts,
  patienceMs,
  sleep,
  random,
  now,
}: RateLimiterOptions): RateLimiter {
  const limit = pLimit(concurrency);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const backoff = (tries: number): number =>
    (0.5 + random() / 2) * Math.min(MAX_WAIT_MS, FIRST_BACKOFF_MS * 2 ** tries);
  const waitForPause = async (signal: AbortSignal | undefined): Promise<void> => {
    while (pausedUntil > now()) await sleep(pausedUntil - now(), signal);
  };

  return (work, judge, signal) =>
    limit(async () => {
      const start = now();
      for (let [failures, refusals] = [0, 0]; ; ) {
        await waitForPause(signal);
        signal?.throwIfAborted();
        try {
          return await work();
        } catch (error) {
          const verdict = judge(error);
          if (verdict.kind === 'fail') throw error;
          if (verdict.kind === 'busy') refusals += 1;
          else failures += 1;
          const ms = Math.min(MAX_WAIT_MS, verdict.afterMs ?? backoff(verdict.kind === 'busy' ? refusals : failures));
          if (failures >= attempts || (refusals > 0 && now() + ms - start > patienceMs)) throw error;
          if (verdict.kind === 'busy') pausedUntil = Math.max(pausedUntil, now() + ms);
          else await sleep(ms, signal);
        }
      }
    });
}
