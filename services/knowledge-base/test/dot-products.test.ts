import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import openWabt from 'wabt';
import { COMPILED, createDotProducts } from '../src/store/embedded/dot-products.ts';
import { createHeldVectors } from '../src/store/embedded/held-vectors.ts';

const source = new URL('../src/store/embedded/dot-products.wat', import.meta.url);
const toProduct = (a: Int16Array, b: Int16Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const int16Rows = (dimensions: number) =>
  fc.array(fc.int16Array({ minLength: dimensions, maxLength: dimensions, min: -4_000, max: 4_000 }), {
    minLength: 1,
    maxLength: 12,
  });

function createTable(rows: readonly Int16Array[], dimensions: number) {
  const table = createDotProducts(dimensions);
  for (const row of rows) table.add(row);
  return table;
}

describe('dot products', () => {
  // Whoever changes the source puts what this expects into dot-products.ts.
  it('are made by what their source says', async () => {
    const wabt = await openWabt();
    const module = wabt.parseWat('dot-products.wat', await readFile(source, 'utf8'), { simd: true });
    module.resolveNames();
    module.validate();
    expect(COMPILED).toBe(Buffer.from(module.toBinary({}).buffer).toString('base64'));
  });

  it('are the sums of products, of any number of dimensions and any choice of rows', () => {
    const asked = fc.integer({ min: 1, max: 41 }).chain((dimensions) =>
      int16Rows(dimensions).chain((rows) =>
        fc.record({
          dimensions: fc.constant(dimensions),
          rows: fc.constant(rows),
          query: fc.int16Array({ minLength: dimensions, maxLength: dimensions, min: -4_000, max: 4_000 }),
          chosen: fc.array(fc.nat({ max: rows.length - 1 }), { maxLength: 20 }),
        }),
      ),
    );
    fc.assert(
      fc.property(asked, ({ dimensions, rows, query, chosen }) => {
        const products = createTable(rows, dimensions).multiply(Int32Array.from(chosen), query);
        expect([...products]).toEqual(chosen.map((row) => toProduct(rows[row] ?? new Int16Array(), query)));
      }),
    );
  });

  it('stay right as the memory grows and rows are more than one call takes', () => {
    const rows = Array.from({ length: 3_000 }, (_, row) =>
      Int16Array.from({ length: 384 }, (_, at) => (row * at) % 97),
    );
    const table = createTable(rows, 384);
    const query = Int16Array.from({ length: 384 }, (_, at) => 48 - (at % 97));
    const all = Int32Array.from(rows.keys()).reverse();
    expect([...table.multiply(all, query)]).toEqual([...all].map((row) => toProduct(rows[row] ?? query, query)));
  });

  it('are exact up to the largest vectors that they are meant for', () => {
    const longest = Int16Array.of(32_767, 0, 0, 0, 0, 0, 0, 0, 0);
    const table = createTable([longest, longest.map((value) => -value)], 9);
    expect([...table.multiply(Int32Array.of(0, 1), longest)]).toEqual([32_767 ** 2, -(32_767 ** 2)]);
  });
});

describe('vectors in memory', () => {
  const vector = fc
    .array(fc.integer({ min: -100, max: 100 }), { minLength: 5, maxLength: 5 })
    .filter((one) => one.some((value) => value !== 0));
  const toLength = (one: readonly number[]): number => Math.hypot(...one);
  const toCosine = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / (toLength(a) * toLength(b));

  it('give all of the nearest, and little more', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 4, maxLength: 30 }), vector, (vectors, query) => {
        const held = createHeldVectors(5);
        for (const one of vectors) held.add(Float32Array.from(one));
        const near = held.nearest(Int32Array.from(vectors.keys()), Float32Array.from(query), 3);
        const cosines = vectors.map((one) => toCosine(one, query));
        const third = [...cosines].sort((a, b) => b - a)[2] ?? 0;
        const slots = (atLeast: number) => [...vectors.keys()].filter((slot) => (cosines[slot] ?? 0) >= atLeast);
        expect(near).toEqual(expect.arrayContaining(slots(third + 1e-6)));
        expect(slots(third - 1e-3)).toEqual(expect.arrayContaining([...near]));
      }),
    );
  });

  it('give those without a direction only when there are not enough others, and all to a query without one', () => {
    const held = createHeldVectors(2);
    for (const one of [
      [0, 0],
      [1, 0],
      [0, 0],
      [0, 1],
    ])
      held.add(Float32Array.from(one));
    const slots = Int32Array.of(0, 1, 2, 3);
    expect(held.nearest(slots, Float32Array.of(1, 0), 2)).toEqual([1, 3]);
    expect(held.nearest(slots, Float32Array.of(1, 0), 3)).toEqual([0, 1, 2, 3]);
    expect(held.nearest(slots, Float32Array.of(0, 0), 2)).toEqual([0, 1, 2, 3]);
  });
});
