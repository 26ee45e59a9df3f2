import { kthLargest } from '@contextloom/retrieval/ranking';

/** Documents by a number of theirs, and the score of each. */
export interface Scores {
  readonly keys: ArrayLike<number>;
  readonly values: Float64Array;
}

/** The keys that can be among those of the `limit` best scores, however ties are resolved, each with its score. */
export function toBest({ keys, values }: Scores, limit: number): ReadonlyMap<number, number> {
  const bound = kthLargest(values, limit);
  const best = new Map<number, number>();
  for (let at = 0; at < keys.length; at += 1) {
    const value = values[at] ?? 0;
    if (value >= bound) best.set(keys[at] ?? 0, value);
  }
  return best;
}
