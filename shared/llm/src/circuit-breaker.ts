import { isContextloomError } from '@contextloom/contracts';

/** When a breaker opens, and for how long. */
export interface CircuitBreakerOptions {
  /** So many failures in a row open it (default 3). A refused key opens it at once. */
  readonly failures?: number;
  /** How long it stays open, in milliseconds (default: a minute). */
  readonly cooldownMs?: number;
  /** Whether an error says that the endpoint cannot be used now; a refused request says nothing of the next one. */
  readonly counts?: (error: unknown) => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Leaves an endpoint alone for a while after it failed, so that callers need not wait for it again each time. */
export interface CircuitBreaker {
  /** Why the endpoint is not called now; undefined while it is. */
  readonly openReason: () => unknown;
  /** Does the work and learns from how it ends. The caller has looked at `openReason` before. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

const PASSING: readonly string[] = ['unavailable', 'timeout', 'rate_limited', 'unauthorized'];

/** Whether an error is about the endpoint and not about the request. */
export function isOutage(error: unknown): boolean {
  return isContextloomError(error) ? PASSING.includes(error.code) : Object(error).name === 'TimeoutError';
}

/** Builds a circuit breaker (Michael Nygard, Release It!, 2007): closed, open for the cooldown, then tried again. */
export function createCircuitBreaker({
  failures = 3,
  cooldownMs = 60_000,
  counts = isOutage,
  now = () => performance.now(),
}: CircuitBreakerOptions = {}): CircuitBreaker {
  let inARow = 0;
  let open: { readonly until: number; readonly reason: unknown } | undefined;
  const fail = (error: unknown): void => {
    if (!counts(error)) return;
    inARow += 1;
    const isRefusedKey = isContextloomError(error) && error.code === 'unauthorized';
    if (inARow >= failures || isRefusedKey) open = { until: now() + cooldownMs, reason: error };
  };
  return {
    openReason: () => (open !== undefined && now() < open.until ? open.reason : undefined),
    run: async (work) => {
      try {
        const value = await work();
        [inARow, open] = [0, undefined];
        return value;
      } catch (error) {
        fail(error);
        throw error;
      }
    },
  };
}
