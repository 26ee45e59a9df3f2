/** Where something was said: in which conversation, and where in it. */
export interface Place {
  readonly sequence: string;
  readonly position: number;
}

/** Something with a time, in milliseconds since 1970, where it has one, and with a place in a conversation. */
export interface Ordered {
  readonly at: number | undefined;
  readonly place?: Place | undefined;
}

/** Milliseconds since 1970 of an ISO 8601 time; undefined for other text. */
export function toTime(text: unknown): number | undefined {
  const time = typeof text === 'string' && /^\d{4}-\d{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Puts what has a time into the order of time, oldest first; what has none keeps its place. What was said at one time, as far
 * as its time tells, stands in the order in which it was said, each conversation where its first item was given.
 */
export function inOrderOfTime<T extends Ordered>(items: readonly T[]): readonly T[] {
  const group = new Map<string, number>();
  const keyed = items.map((item, given) => {
    const of = JSON.stringify([item.at, item.place?.sequence]);
    if (item.place === undefined || !group.has(of)) group.set(of, given);
    return { item, given, group: group.get(of) ?? given, position: item.place?.position ?? 0 };
  });
  const dated = keyed
    .filter(({ item }) => item.at !== undefined)
    .sort(
      (a, b) =>
        (a.item.at ?? 0) - (b.item.at ?? 0) || a.group - b.group || a.position - b.position || a.given - b.given,
    );
  let next = 0;
  return items.map((item) => {
    if (item.at === undefined) return item;
    next += 1;
    return dated[next - 1]?.item ?? item;
  });
}
