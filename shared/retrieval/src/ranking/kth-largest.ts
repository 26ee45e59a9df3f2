/** The `k`-th largest of some values; -Infinity when they are fewer. */
export function kthLargest(values: Float64Array, k: number): number {
  // The largest so far, rising: few values are larger than the least of them once some have been seen.
  const top = new Float64Array(k).fill(Number.NEGATIVE_INFINITY);
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    if (value <= least) continue;
    let place = 1;
    while (place < k && (top[place] ?? 0) < value) place += 1;
    top.copyWithin(0, 1, place);
    top[place - 1] = value;
    least = top[0] ?? 0;
  }
  return least;
}
