/** Runs work on a key, or on several at once: work that shares a key runs in the order of the calls, other work at the same time. */
export type KeyedQueue = <T>(keys: string | readonly string[], work: () => Promise<T>) => Promise<T>;

/** Builds a queue of one process; a key is forgotten with its last work, and work that fails does not stop the next. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (keys, work) => {
    const all = typeof keys === 'string' ? [keys] : keys;
    // Waiting and queueing happen in one step, so that no two calls can wait for each other.
    const done = Promise.all(all.map((key) => last.get(key))).then(work);
    const settled = done.catch(() => undefined); // The caller gets the error; the next work only waits.
    for (const key of all) last.set(key, settled);
    try {
      return await done;
    } finally {
      for (const key of all) if (last.get(key) === settled) last.delete(key);
    }
  };
}
