/** Runs work of one user after what was asked for that user before; users do not wait for each other. */
export type InTurn = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

/** Builds the turns of a process. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (userId, work) => {
    const before = last.get(userId);
    // What failed before is told to who asked for it.
    const own = (before ?? Promise.resolve()).then(work, work);
    last.set(userId, own);
    try {
      return await own;
    } finally {
      if (last.get(userId) === own) last.delete(userId);
    }
  };
}
