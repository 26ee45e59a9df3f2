/** A typed array that a growing one keeps its numbers in. */
type Numbers = Uint8Array | Int32Array | Float64Array;

/** Numbers in one piece of memory, which grows as they are added. */
export interface Growing<T extends Numbers> {
  /** The memory: the numbers, and after them space. Another one once it has grown. */
  readonly items: T;
  readonly length: number;
  /** Makes room for `count` more, and answers where they begin. */
  extend(count: number): number;
  push(value: number): void;
}

/** Builds growing numbers of a kind. */
export function createGrowing<T extends Numbers>(make: (length: number) => T): Growing<T> {
  let items = make(1_024);
  let length = 0;
  const extend = (count: number): number => {
    const from = length;
    length += count;
    if (length > items.length) {
      const larger = make(Math.max(length, Math.ceil(items.length * 1.5)));
      larger.set(items);
      items = larger;
    }
    return from;
  };
  return {
    get items() {
      return items;
    },
    get length() {
      return length;
    },
    extend,
    push: (value) => {
      const at = extend(1);
      items[at] = value;
    },
  };
}

/**
 * Builds memory for a calculation that is done over and over: as many zeros as are asked for, the same ones each time. New
 * arrays for each search have the garbage collector stop the thread every few searches.
 */
export function createScratch<T extends Numbers>(make: (length: number) => T): (length: number) => T {
  let items = make(1_024);
  return (length) => {
    if (items.length < length) items = make(Math.ceil(length * 1.5));
    return items.subarray(0, length).fill(0) as T;
  };
}
