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
      await work(item, index).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return begun;
}
