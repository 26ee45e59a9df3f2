/** When a call is repeated. */
export interface RetryOptions {
  /** How often at most. */
  readonly retries: number;
  readonly mayRepeat: (thrown: unknown) => boolean;
  readonly signal: AbortSignal;
  /** The first pause, in milliseconds; each further one is three times as long. */
  readonly firstPauseMs?: number;
  /** A number from 0 to 1, so that clients that fail together do not come back together. */
  readonly random?: () => number;
}

/** Waits; rejects with the signal's reason when that comes first. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Tries until an attempt succeeds, may not be repeated, or was the last. @throws what the last attempt threw */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, mayRepeat, signal, firstPauseMs = 200, random = Math.random } = options;
  for (let repeated = 0; ; repeated++) {
    try {
      return await attempt();
    } catch (error) {
      if (repeated >= retries || signal.aborted || !mayRepeat(error)) throw error;
      await pause(firstPauseMs * 3 ** repeated * (0.5 + random() / 2), signal);
    }
  }
}
