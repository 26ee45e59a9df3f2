import { createTimeSlices } from './time-slices.ts';

/** Maps items one by one as `map` does, in slices of a few milliseconds, between which other calls are answered. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const run = createTimeSlices();
  const mapped: R[] = [];
  for (const item of items) mapped.push(await run(() => map(item)));
  return mapped;
}
