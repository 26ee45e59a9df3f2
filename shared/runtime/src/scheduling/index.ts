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

/** A value that is opened at its first use. */
export interface Lazy<T> {
  /** Opens the value once; after a failure the next call tries again. */
  readonly get: () => Promise<T>;
  /** The value that is open or being opened; undefined before the first use. */
  readonly current: () => Promise<T> | undefined;
  /** Drops a value that stopped working, so that the next call opens another. Does nothing if another is open already. */
  readonly drop: (value: Promise<T>) => void;
}

/** Builds a value that `open` opens at its first use. */
export function createLazy<T>(open: () => Promise<T>): Lazy<T> {
  let opened: Promise<T> | undefined;
  const drop = (value: Promise<T>): void => {
    if (opened === value) opened = undefined;
  };
  return {
    get: () => {
      if (opened !== undefined) return opened;
      const opening: Promise<T> = open().catch((error: unknown) => {
        drop(opening);
        throw error;
      });
      opened = opening;
      return opening;
    },
    current: () => opened,
    drop,
  };
}

/** Runs work at once, or when the event loop has turned. */
export type RunInSlices = <T>(work: () => T | Promise<T>) => Promise<T>;

/** How long work goes on before the event loop turns, in milliseconds. */
const SLICE_MS = 2;

/**
 * Builds a way to run work in this thread, in the order in which it comes, that lets the event loop turn after each slice of
 * so many milliseconds: many searches that come at once then do not block everything else.
 */
export function createTimeSlices(milliseconds = SLICE_MS): RunInSlices {
  const waiting: (() => void)[] = [];
  let isTurning = false;
  let end = 0;
  const goOn = (): void => {
    end = performance.now() + milliseconds;
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.();
    isTurning = waiting.length > 0;
    if (isTurning) setImmediate(goOn);
  };
  return async (work) => {
    if (!isTurning) {
      isTurning = true;
      end = performance.now() + milliseconds;
      setImmediate(goOn);
    }
    if (waiting.length === 0 && performance.now() < end) return work();
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  };
}

/** Maps items one by one as `map` does, in slices of a few milliseconds, between which other calls are answered. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const run = createTimeSlices();
  const mapped: R[] = [];
  for (const item of items) mapped.push(await run(() => map(item)));
  return mapped;
}

/** Work that is done from time to time. */
export interface RepeatedWork {
  readonly run: () => Promise<unknown>;
  /** Told when it fails; it is tried again at its next time. */
  readonly onError: (cause: unknown) => void;
  readonly everyMs: number;
  /** When it is first done; after `everyMs` unless told otherwise. */
  readonly firstMs?: number;
}

/** Does work from time to time, never twice at once. It never keeps the process alive; the function returned stops it after what is under way. */
export function startRepeating({ run, onError, everyMs, firstMs = everyMs }: RepeatedWork): () => Promise<void> {
  let running: Promise<void> | undefined;
  const start = (): void => {
    running ??= run()
      .then(() => undefined, onError)
      .finally(() => {
        running = undefined;
      });
  };
  const first = firstMs < everyMs ? setTimeout(start, firstMs).unref() : undefined;
  const timer = setInterval(start, everyMs).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await running;
  };
}

/** When what was deleted for good is looked for, to erase its bytes: what starts is not held up by it. */
const ERASING = { everyMs: 600_000, firstMs: 5_000 } as const;
/** Writes wait while a file is rewritten: one user who deletes something must not hold up all others for more than a hundredth of the time. */
const ERASING_REST = 100;

/** Has the bytes erased of what was deleted for good, soon after the start and from time to time, the less often the longer it takes. */
export function startErasing(
  eraseNoted: () => Promise<boolean>,
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void },
  { everyMs, firstMs }: Required<Pick<RepeatedWork, 'everyMs' | 'firstMs'>> = ERASING,
): () => Promise<void> {
  let restUntil = 0;
  const run = async (): Promise<void> => {
    const began = performance.now();
    if (began < restUntil || !(await eraseNoted())) return;
    const ended = performance.now();
    restUntil = ended + ERASING_REST * (ended - began);
    log.info({}, 'erased the bytes of what was deleted');
  };
  const onError = (cause: unknown): void =>
    log.warn({ cause }, 'the bytes of what was deleted could not be erased; this will be tried again');
  return startRepeating({ run, onError, everyMs, firstMs });
}
