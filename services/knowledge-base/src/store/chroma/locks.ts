/** Runs work on some keys when no other work of this process is on one of them; those who wait go in the order they came. */
export type Locks = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>;

/** Makes a set of locks, none of them held. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return async (keys, work) => {
    // Waiting and queueing happen in one step, so that no two calls can wait for each other.
    const before = Promise.all(keys.map((key) => last.get(key)));
    const done = before.then(work);
    const settled = done.catch(() => undefined); // Its own caller is told; those behind it only wait.
    for (const key of keys) last.set(key, settled);
    try {
      return await done;
    } finally {
      for (const key of keys) if (last.get(key) === settled) last.delete(key);
    }
  };
}
