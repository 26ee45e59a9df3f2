/** What a pool opens and closes. */
export interface OpenPoolOptions<T> {
  readonly open: (key: string) => Promise<T>;
  /** Closes one that nobody uses; `isDropped` where it was dropped. What it throws goes to `onError`. */
  readonly close: (key: string, value: T, isDropped: boolean) => Promise<void>;
  /** How many stay open when nobody uses them. */
  readonly keptOpen: number;
  readonly onError: (cause: unknown) => void;
}

/** Values that are opened when they are first used; of those that nobody uses, the ones used last stay open. */
export interface OpenPool<T> {
  use<R>(key: string, work: (value: T) => Promise<R>): Promise<R>;
  /** Has a value closed as soon as nobody uses it: resolves then, or at once where somebody does. */
  drop(key: string): Promise<void>;
  isOpen(key: string): boolean;
  close(): Promise<void>;
}

interface Kept<T> {
  readonly opened: Promise<T>;
  uses: number;
  isDropped: boolean;
}

/** Builds a pool; what is being closed is opened again only once that has ended. */
export function createOpenPool<T>({ open, close, keptOpen, onError }: OpenPoolOptions<T>): OpenPool<T> {
  /** The one that was used last stands at the end. */
  const kept = new Map<string, Kept<T>>();
  const closing = new Map<string, Promise<void>>();

  async function take(key: string): Promise<Kept<T>> {
    for (let end = closing.get(key); end !== undefined; end = closing.get(key)) await end;
    const one = kept.get(key) ?? { opened: open(key), uses: 0, isDropped: false };
    kept.delete(key);
    kept.set(key, one);
    one.uses += 1;
    return one;
  }
  function end(key: string, { opened, isDropped }: Kept<T>): Promise<void> {
    kept.delete(key);
    const ending = opened
      .then((value) => close(key, value, isDropped))
      .catch(onError)
      .finally(() => closing.delete(key));
    closing.set(key, ending);
    return ending;
  }
  function give(key: string, one: Kept<T>): void {
    one.uses -= 1;
    if (one.isDropped && one.uses === 0) void end(key, one);
    const idle = [...kept].filter(([, { uses }]) => uses === 0);
    for (const [id, other] of idle.slice(0, Math.max(kept.size - keptOpen, 0))) void end(id, other);
  }
  return {
    isOpen: (key) => kept.has(key),
    use: async (key, work) => {
      const one = await take(key);
      const value = await one.opened.catch((error: unknown) => {
        if (kept.get(key) === one) kept.delete(key); // The next use tries again.
        throw error;
      });
      return work(value).finally(() => give(key, one));
    },
    drop: async (key) => {
      const one = kept.get(key);
      if (one !== undefined) one.isDropped = true;
      if (one?.uses === 0) await end(key, one);
    },
    close: async () => {
      for (const [key, one] of [...kept]) void end(key, one);
      await Promise.all(closing.values());
    },
  };
}
