/**
 * Settles as `work` does, or rejects with the error of `toError` after `ms` milliseconds; `work` is not stopped. The timer alone
 * does not keep the process alive.
 */
export function withDeadline<T>(work: Promise<T>, ms: number, toError: () => Error): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(toError()), ms).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves once `work` has settled, whether it succeeded or failed, or after `ms` milliseconds. */
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
