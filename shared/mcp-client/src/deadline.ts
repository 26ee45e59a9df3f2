/** What a race against a deadline came to. */
export type Raced<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' };

/**
 * Waits for `work` until `timeoutMs` have passed or `signal` is aborted. Late work is not thrown away: it goes on, and
 * the signal it was given is aborted so that it can stop if it likes.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Raced<T>> {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const late = new Promise<Raced<T>>((resolve) => {
    stop = () => {
      resolve({ kind: 'late' });
      own.abort();
    };
    timer = setTimeout(stop, timeoutMs);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
  const running = work(own.signal).then((value): Raced<T> => ({ kind: 'done', value }));
  // The caller of work that fails after the deadline already has its answer: late.
  running.catch(() => undefined);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
  }
}
