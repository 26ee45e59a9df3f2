/** A sequence whose next items can be looked at before they are taken. */
export interface Lookahead<T> {
  /** The item so many places ahead; undefined after the last. */
  readonly at: (place: number) => T | undefined;
  /** Takes the next items. */
  readonly take: (count: number) => readonly T[];
}

/** Builds one; items are made when they are looked at, so that a sequence that takes seconds does not block. */
export function createLookahead<T>(items: Iterable<T>): Lookahead<T> {
  const iterator = items[Symbol.iterator]();
  const waiting: T[] = [];
  const at = (place: number): T | undefined => {
    while (waiting.length <= place) {
      const next = iterator.next();
      if (next.done === true) return undefined;
      waiting.push(next.value);
    }
    return waiting[place];
  };
  return { at, take: (count) => waiting.splice(0, count) };
}
