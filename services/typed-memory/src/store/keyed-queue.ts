/** Runs work for one key in order, and for different keys at once. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Builds a queue; a key is forgotten with its last work. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (tails.get(key) ?? Promise.resolve()).then(work, work);
    const tail = run.then(
      () => undefined,
      () => undefined,
    );
    tails.set(key, tail);
    void tail.then(() => tails.get(key) === tail && tails.delete(key));
    return run;
  };
}
