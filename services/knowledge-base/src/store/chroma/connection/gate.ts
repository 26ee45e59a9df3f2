/** Lets writes run side by side, and what must see none of them run alone. */
export interface Gate {
  share<T>(work: () => Promise<T>): Promise<T>;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes a gate that is open. */
export function createGate(): Gate {
  const inside = new Set<Promise<unknown>>();
  let closed: Promise<unknown> = Promise.resolve();
  return {
    share: async (work) => {
      for (let seen: unknown; seen !== closed; ) {
        seen = closed;
        await closed;
      }
      const running = work();
      const settled = running.catch(() => undefined); // The caller gets the error.
      inside.add(settled);
      settled.then(() => inside.delete(settled));
      return running;
    },
    alone: (work) => {
      const running = closed.then(async () => {
        await Promise.all(inside);
        return work();
      });
      closed = running.catch(() => undefined); // The caller gets the error.
      return running;
    },
  };
}
