import { createScratch } from './growing.ts';

/** What is used of WebAssembly, which the types of Node lack. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Compiled {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** As dot-products.wat has it. */
  multiply(rows: number, count: number, table: number, stride: number, query: number, sums: number): void;
}

/** dot-products.wat, compiled. */
export const COMPILED =
  'AGFzbQEAAAABCgFgBn9/f39/fwADAgEABQMBAAEHFQIGbWVtb3J5AgAIbXVsdGlwbHkAAAqmAQGjAQIEfwF7IAAgAUECdGohBiAEIANqIQcCQANAIAAgBk8NASACIAAoAgAgA2xqIQkgBCEI/QwAAAAAAAAAAAAAAAAAAAAAIQoDQCAKIAj9AAQAIAn9AAQA/boB/a4BIQogCUEQaiEJIAhBEGohCCAIIAdJDQALIAUgCv0bACAK/RsBaiAK/RsCIAr9GwNqajYCACAFQQRqIQUgAEEEaiEADAALCws=';

/** Rows multiplied in one call. */
const BATCH = 1_024;
const BYTES = { code: Int16Array.BYTES_PER_ELEMENT, number: Int32Array.BYTES_PER_ELEMENT, page: 65_536 } as const;
/** Rows are read eight numbers at a time. */
const WIDTH = 8;
/** By how many pages the memory grows. */
const GROWTH = 16;

/** Rows of 16-bit whole numbers, counted from 0, which a query is multiplied with all at once. */
export interface DotProducts {
  /**
   * Adds a row of as many numbers as there are dimensions.
   * @throws RangeError when there is no memory for it
   */
  add(codes: Int16Array): void;
  /**
   * The dot product of the query with each of the rows, good until the next call. Exact as long as the lengths of both
   * vectors, multiplied, stay below 2^31: no part of the sum can then be larger (Cauchy and Schwarz).
   */
  multiply(rows: Int32Array, query: Int16Array): Int32Array;
}

/**
 * Builds an empty table.
 * @throws RangeError when the machine gives WebAssembly no memory, of which it reserves ten gigabytes of addresses
 */
export function createDotProducts(dimensions: number): DotProducts {
  const module = new WebAssembly.Module(Buffer.from(COMPILED, 'base64'));
  const { memory, multiply } = new WebAssembly.Instance(module).exports as Compiled;
  const stride = Math.ceil(dimensions / WIDTH) * WIDTH * BYTES.code;
  const sums = BATCH * BYTES.number;
  const query = 2 * sums;
  const table = query + stride;
  const toProducts = createScratch((length) => new Int32Array(length));
  let count = 0;
  /** Numbers in the memory; whatever makes it grow ends earlier ones. */
  const numbersAt = (from: number, length: number): Int32Array => new Int32Array(memory.buffer, from, length);
  const put = (codes: Int16Array, at: number): void => new Int16Array(memory.buffer, at, dimensions).set(codes);
  const makeRoom = (bytes: number): void => {
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / BYTES.page);
    if (missing > 0) memory.grow(Math.max(missing, GROWTH));
  };
  makeRoom(table);
  return {
    add: (codes) => {
      const from = table + count * stride;
      makeRoom(from + stride);
      put(codes, from);
      count += 1;
    },
    multiply: (rows, codes) => {
      put(codes, query);
      const products = toProducts(rows.length);
      for (let from = 0; from < rows.length; from += BATCH) {
        const batch = rows.subarray(from, from + BATCH);
        numbersAt(0, batch.length).set(batch);
        multiply(0, batch.length, table, stride, query, sums);
        products.set(numbersAt(sums, batch.length), from);
      }
      return products;
    },
  };
}
