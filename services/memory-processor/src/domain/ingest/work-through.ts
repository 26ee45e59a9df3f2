import { ContextloomError } from '@contextloom/contracts';

/** Lets the event loop answer other calls and take signals. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Collects what a long computation makes one by one; other calls are answered in between.
 * @throws ContextloomError `unavailable` when the signal is given
 */
export async function collect<T>(items: Iterable<T>, signal: AbortSignal): Promise<readonly T[]> {
  const collected: T[] = [];
  for (const item of items) {
    collected.push(item);
    await yieldToEventLoop();
    if (signal.aborted) throw new ContextloomError('unavailable', 'the reading was stopped');
  }
  return collected;
}

/** How a list is worked through. */
export interface WorkOptions {
  /** Items worked on at once. */
  readonly concurrency: number;
  /** When given, no further item is begun; those under way are finished. */
  readonly signal: AbortSignal;
}

/**
 * Works through a list, several items at once, begun in order. A failure lets those under way finish and is then thrown.
 * @returns how many items were worked on
 */
export async function workThrough<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
  { concurrency, signal }: WorkOptions,
): Promise<number> {
  let begun = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (!signal.aborted && failures.length === 0) {
      const index = begun;
      const item = items[index];
      if (item === undefined) return;
      begun += 1;
      // Work that waits for nothing would keep every other call waiting.
      await yieldToEventLoop();
      await work(item, index).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return begun;
}

/**
 * Builds a function that hands on results in the order of their places, however they come: a result waits for those before it.
 * Places begin with 0 and have no gaps.
 */
export function createInOrder<T>(handOn: (result: T) => Promise<void>): (place: number, result: T) => Promise<void> {
  const waiting = new Map<number, T>();
  let next = 0;
  return async (place, result) => {
    waiting.set(place, result);
    const handed: Promise<void>[] = [];
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      handed.push(handOn(ready));
    }
    await Promise.all(handed);
  };
}
