/** Something with a time, in milliseconds since 1970, where it has one. */
interface Dated {
  readonly at: number | undefined;
}

/** Milliseconds since 1970 of an ISO 8601 time; undefined for what is none. */
export function toTime(text: unknown): number | undefined {
  const time = typeof text === 'string' && /^\d{4}-\d{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Puts what has a time into the order of time, oldest first; what has none keeps its place. */
export function inOrderOfTime<T extends Dated>(items: readonly T[]): readonly T[] {
  const dated = items.filter(({ at }) => at !== undefined).sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  let next = 0;
  return items.map((item) => {
    if (item.at === undefined) return item;
    next += 1;
    return dated[next - 1] ?? item;
  });
}
