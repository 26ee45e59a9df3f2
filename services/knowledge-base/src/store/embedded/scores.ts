import { largest } from './largest.ts';

/** Documents in memory by their slots, and the score of each. */
export interface Scores {
  readonly slots: Int32Array;
  readonly values: Float64Array;
}

/** The slots that can be among those of the `limit` best scores, however ties are resolved, each with its score. */
export function toBest({ slots, values }: Scores, limit: number): ReadonlyMap<number, number> {
  const bound = largest(values, limit);
  const best = new Map<number, number>();
  for (let at = 0; at < slots.length; at += 1) {
    const value = values[at] ?? 0;
    if (value >= bound) best.set(slots[at] ?? 0, value);
  }
  return best;
}
