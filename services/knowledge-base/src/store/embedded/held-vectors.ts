import { createGrowing } from './growing.ts';
import { largest } from './largest.ts';

/** How far the sums of a cosine in 32-bit floats, as sqlite-vec makes them, may be off for each dimension, and more. */
const FLOAT_SLACK = 4 * 2 ** -24;
const MAX_CODE = 127;

/** Vectors in memory, a byte a dimension, by slots that are counted from 0. */
export interface HeldVectors {
  add(vector: Float32Array): void;
  /** Those of the slots that may be among the `limit` nearest by cosine, all of these among them. */
  nearest(slots: Int32Array, query: Float32Array, limit: number): readonly number[];
}

function toLength(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) ** 2;
  return Math.sqrt(sum);
}

/** The dimensions in which a query is not zero: few of them in that of a lexical embedder. */
function toActive(query: Float32Array): Int32Array {
  return Int32Array.from([...query.keys()].filter((at) => query[at] !== 0));
}

/**
 * Builds the memory for vectors. Each is kept as whole numbers of -127 to 127 and a scale, with how far that is from it:
 * the cosine with a query is then off by at most that distance over the vector's length (Cauchy and Schwarz).
 */
export function createHeldVectors(dimensions: number): HeldVectors {
  const codes = createGrowing((length) => new Int8Array(length));
  /** What makes the dot product of codes and a query of length 1 a cosine. */
  const factors = createGrowing((length) => new Float64Array(length));
  const slacks = createGrowing((length) => new Float64Array(length));

  const add = (vector: Float32Array): void => {
    const from = codes.extend(dimensions);
    const { items } = codes;
    let [most, squares, residuals] = [0, 0, 0];
    for (let at = 0; at < dimensions; at += 1) most = Math.max(most, Math.abs(vector[at] ?? 0));
    const scale = most / MAX_CODE;
    for (let at = 0; at < dimensions; at += 1) {
      const value = vector[at] ?? 0;
      const code = scale === 0 ? 0 : Math.floor(value / scale + 0.5);
      items[from + at] = code;
      squares += value * value;
      residuals += (value - code * scale) ** 2;
    }
    // A vector without a direction has no cosine, and is never nearer than one that has.
    const length = Math.sqrt(squares);
    factors.push(length === 0 ? Number.NaN : scale / length);
    slacks.push(length === 0 ? 0 : Math.sqrt(residuals) / length + FLOAT_SLACK * dimensions);
  };

  /** The cosine of each slot's vector with a query of length 1, as near as the codes tell; -Infinity where it has no direction. */
  const toCosines = (slots: Int32Array, query: Float32Array): Float64Array => {
    const active = toActive(query);
    const [vectors, scales] = [codes.items, factors.items];
    const cosines = new Float64Array(slots.length);
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? 0;
      const from = slot * dimensions;
      let sum = 0;
      for (let one = 0; one < active.length; one += 1) {
        const dimension = active[one] ?? 0;
        sum += (vectors[from + dimension] ?? 0) * (query[dimension] ?? 0);
      }
      const cosine = (scales[slot] ?? 0) * sum;
      cosines[at] = Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine;
    }
    return cosines;
  };

  return {
    add,
    nearest: (slots, query, limit) => {
      const length = toLength(query);
      const unit = query.map((value) => value / length); // NaN in a query without a direction: all are as near.
      const cosines = toCosines(slots, unit);
      const off = slacks.items;
      const bound = largest(
        cosines.map((cosine, at) => cosine - (off[slots[at] ?? 0] ?? 0)),
        limit,
      );
      const near: number[] = [];
      for (let at = 0; at < slots.length; at += 1) {
        const slot = slots[at] ?? 0;
        if ((cosines[at] ?? 0) + (off[slot] ?? 0) >= bound) near.push(slot);
      }
      return near;
    },
  };
}
