/**
 * Settles as `work` does, or rejects with what `toError` makes once `ms` milliseconds are over; `work` is not stopped. The
 * waiting alone does not keep a process running that has nothing else to do.
 */
export function withDeadline<T>(work: Promise<T>, ms: number, toError: () => Error): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError()), ms).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves once `work` has settled, whichever way, or `ms` milliseconds are over. */
export function settled(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}
