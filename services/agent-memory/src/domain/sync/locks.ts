import pLimit, { type LimitFunction } from 'p-limit';

/** Runs work on files one after the other: what concerns the same file waits. */
export interface Locks {
  run<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Holds several at once, always in the same order. */
  runAll<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** Builds locks of one process, one a file of the workspace; between processes the workspace compares what it replaces. */
export function createLocks(): Locks {
  const queues = new Map<string, LimitFunction>();
  const run = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(path) ?? pLimit(1);
    queues.set(path, queue);
    return queue(work);
  };
  const runAll = <T>(paths: readonly string[], work: () => Promise<T>): Promise<T> =>
    [...paths].sort().reduceRight<() => Promise<T>>((inner, path) => () => run(path, inner), work)();
  return { run, runAll };
}
