/** Characters worked through at a stretch, some 20 ms of tokenising, before other calls get their turn. */
const STRETCH = 32_768;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Maps items one by one as `map` does, in stretches by the length of their texts, between which other calls are answered. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  textOf: (item: T) => string,
  map: (item: T) => R,
): Promise<R[]> {
  const mapped: R[] = [];
  let done = 0;
  for (const item of items) {
    if (done > STRETCH) {
      await nextTurn();
      done = 0;
    }
    done += textOf(item).length;
    mapped.push(map(item));
  }
  return mapped;
}
