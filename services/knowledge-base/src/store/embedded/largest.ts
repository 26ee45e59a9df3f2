/** The `count`-th largest of the values; -Infinity when they are fewer. */
export function largest(values: Float64Array, count: number): number {
  // The largest so far, rising: few values are larger than the least of them once some have been seen.
  const top = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    if (value <= least) continue;
    let place = 1;
    while (place < count && (top[place] ?? 0) < value) place += 1;
    top.copyWithin(0, 1, place);
    top[place - 1] = value;
    least = top[0] ?? 0;
  }
  return least;
}
