import { kthLargest } from '@contextloom/retrieval/ranking';
import { createDotProducts } from './dot-products.ts';
import { createGrowing, createScratch } from './growing.ts';

/** How far the sums of a cosine in 32-bit floats, as sqlite-vec makes them, may be off for each dimension, and more. */
const FLOAT_SLACK = 4 * 2 ** -24;
/** The length that vectors are brought to before they are rounded to whole numbers of 16 bits. */
const LENGTH = 2 ** 15 - 1;

/** Bytes that a vector takes for each of its dimensions. */
export const BYTES_PER_DIMENSION = Int16Array.BYTES_PER_ELEMENT;

/** Vectors in memory, two bytes a dimension, by slots that are counted from 0. */
export interface HeldVectors {
  add(vector: Float32Array): void;
  /** Those of the slots that may be among the `limit` nearest by cosine, all of these among them. */
  nearest(slots: Int32Array, query: Float32Array, limit: number): readonly number[];
}

/** A vector of length 1 in whole numbers, and how far they are from it; that is NaN for one without a direction. */
interface Rounded {
  readonly codes: Int16Array;
  readonly off: number;
}

function toLength(vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) ** 2;
  return Math.sqrt(sum);
}

function round(vector: Float32Array): Rounded {
  const codes = new Int16Array(vector.length);
  const scale = LENGTH / toLength(vector);
  let squares = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const value = (vector[at] ?? 0) * scale;
    const code = Math.round(value);
    codes[at] = code;
    squares += (value - code) ** 2;
  }
  return { codes, off: Math.sqrt(squares) / LENGTH };
}

/**
 * Builds the memory for vectors. Each is kept as the whole numbers next to it: a cosine with a query is then off by at most
 * as far as both are from their whole numbers (Cauchy and Schwarz).
 */
export function createHeldVectors(dimensions: number): HeldVectors {
  const products = createDotProducts(dimensions);
  const scratch = {
    atLeast: createScratch((length) => new Float64Array(length)),
    atMost: createScratch((length) => new Float64Array(length)),
  };
  const slacks = createGrowing((length) => new Float64Array(length));
  const toSlack = (one: number, other: number): number => one + other + one * other + FLOAT_SLACK * dimensions;
  return {
    add: (vector) => {
      const { codes, off } = round(vector);
      products.add(codes);
      slacks.push(off);
    },
    nearest: (slots, query, limit) => {
      const { codes, off } = round(query);
      if (Number.isNaN(off)) return [...slots]; // A query without a direction is as near to all.
      const { items } = slacks;
      const sums = products.multiply(slots, codes);
      const [atLeast, atMost] = [scratch.atLeast(slots.length), scratch.atMost(slots.length)];
      for (let at = 0; at < slots.length; at += 1) {
        const cosine = (sums[at] ?? 0) / LENGTH ** 2;
        const slack = toSlack(items[slots[at] ?? 0] ?? 0, off);
        // A vector without a direction has no cosine, and is never nearer than one that has.
        atMost[at] = Number.isNaN(slack) ? Number.NEGATIVE_INFINITY : cosine + slack;
        atLeast[at] = Number.isNaN(slack) ? Number.NEGATIVE_INFINITY : cosine - slack;
      }
      const bound = kthLargest(atLeast, limit);
      const near: number[] = [];
      for (let at = 0; at < slots.length; at += 1) {
        if ((atMost[at] ?? 0) >= bound) near.push(slots[at] ?? 0);
      }
      return near;
    },
  };
}
