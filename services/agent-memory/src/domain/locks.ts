/** Runs work on files one after the other: what concerns the same file waits. */
export interface Locks {
  run<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Holds several at once, always in the same order. */
  runAll<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** Builds locks of one process; between processes the workspace compares what it replaces. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  const run = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(path) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined); // Its caller is told.
    last.set(path, settled);
    void settled.then(() => {
      if (last.get(path) === settled) last.delete(path);
    });
    return result;
  };
  const runAll = <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> =>
    [...paths].sort().reduceRight<() => Promise<T>>((inner, path) => () => run(path, inner), work)();
  return { run, runAll };
}
