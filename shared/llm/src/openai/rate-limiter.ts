import pLimit from 'p-limit';

/** How calls to an endpoint are rate-limited. */
export interface RateLimiterOptions {
  /** Calls at once. */
  readonly concurrency: number;
  /** Tries of one call that fails, the first among them. */
  readonly attempts: number;
  /** How long the endpoint may put one call off, in milliseconds. */
  readonly patienceMs: number;
  /** Waits for so many milliseconds, or rejects when the signal aborts. */
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
/** The longest wait after a 429 that names no time: limits of a second are the usual ones. */
const MAX_BUSY_WAIT_MS = 8_000;

/** So many calls at once as an endpoint takes, found out from its refusals. */
interface Width {
  /** A call was refused as one too many; `begunAt` is its number in the order of calls. */
  readonly shrink: (begunAt: number) => void;
  /** A call was answered. */
  readonly grow: () => void;
}

/**
 * Halves the calls at once when the endpoint refuses one, and adds one again after as many answers as there are calls at once:
 * additive increase, multiplicative decrease (Chiu and Jain, 1989).
 */
function createWidth(limit: { concurrency: number }, most: number, count: () => number): Width {
  let [answered, shrunkAt] = [0, -1];
  return {
    shrink: (begunAt) => {
      // Calls that were under way together are refused together, for one reason.
      if (begunAt <= shrunkAt) return;
      [answered, shrunkAt] = [0, count()];
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    },
    grow: () => {
      answered += 1;
      if (answered < limit.concurrency || limit.concurrency >= most) return;
      answered = 0;
      limit.concurrency += 1;
    },
  };
}

/**
 * Builds the limiter of an endpoint: at most so many calls at once. When the endpoint names a time to retry, no call starts before
 * it; when it names none, the refused call alone waits, and fewer calls run at once. Retries wait longer each time, with jitter
 * (Marc Brooker, Exponential Backoff And Jitter, 2015).
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
  let tries = 0;
  const width = createWidth(limit, concurrency, () => tries);
  const backoff = (failed: number, most: number): number =>
    (0.5 + random() / 2) * Math.min(most, FIRST_BACKOFF_MS * 2 ** failed);
  const waitForPause = async (signal: AbortSignal | undefined): Promise<void> => {
    while (pausedUntil > now()) await sleep(pausedUntil - now(), signal);
  };
  const toWait = ({ kind, afterMs }: Exclude<Verdict, { kind: 'fail' }>, failed: number): number =>
    Math.min(MAX_WAIT_MS, afterMs ?? backoff(failed, kind === 'busy' ? MAX_BUSY_WAIT_MS : MAX_WAIT_MS));

  return (work, judge, signal) =>
    limit(async () => {
      const start = now();
      for (let [failures, refusals] = [0, 0]; ; ) {
        await waitForPause(signal);
        signal?.throwIfAborted();
        tries += 1;
        const begunAt = tries;
        try {
          const answer = await work();
          width.grow();
          return answer;
        } catch (error) {
          const verdict = judge(error);
          if (verdict.kind === 'fail') throw error;
          const isBusy = verdict.kind === 'busy';
          if (isBusy) refusals += 1;
          else failures += 1;
          const ms = toWait(verdict, isBusy ? refusals : failures);
          if (failures >= attempts || (refusals > 0 && now() + ms - start > patienceMs)) throw error;
          if (isBusy && verdict.afterMs === undefined) width.shrink(begunAt);
          if (isBusy && verdict.afterMs !== undefined) pausedUntil = Math.max(pausedUntil, now() + ms);
          else await sleep(ms, signal);
        }
      }
    });
}
