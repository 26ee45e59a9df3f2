import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EntryRow } from '../../src/hybrid-index/cache/entries.ts';
import { BLOCK_ROWS, type EntryBlock } from '../../src/hybrid-index/cache/entry-block.ts';
import { createEntryCache } from '../../src/hybrid-index/cache/entry-cache.ts';
import type { WordBuckets } from '../../src/hybrid-index/search/word-columns.ts';

const DIMENSIONS = 3;

/** The entry of a row as it is at a version, which its words and its vector tell; some are long. */
function toEntry(row: number, version: number): EntryRow {
  const words = Uint32Array.from(
    { length: row % 97 === 0 ? 60_000 : 2 + 2 * (row % 20) },
    (_, at) => row * 10 + version + at,
  );
  const vector = Float32Array.of(row, version, 1);
  return {
    row,
    words: Buffer.from(words.buffer),
    vector: row % 7 === 0 ? null : Buffer.from(vector.buffer),
    norm: row % 7 === 0 ? null : row,
  };
}

/** Words in short, in whichever order: a block that is full sorts them. Any others have another digest, as far as these tests go. */
function toDigest(lengths: readonly number[], hashes: readonly number[], rests: readonly number[]): string {
  const sum = hashes.reduce((all, hash, at) => all + hash * (((rests[at] ?? 0) % 1_009) + 1), 0);
  return `${lengths} ${hashes.length} ${sum}`;
}

/** The words of an entry in short. */
function toWordsDigest(words: Uint32Array): string {
  const at = (part: number) => [...words.subarray(2)].filter((_, place) => place % 2 === part);
  return toDigest([...words.subarray(0, 2)], at(0), at(1));
}

const placesOf = new WeakMap<WordBuckets, number[][]>();

/** Where the words of each slot stand, once they are sorted. */
function toPlaces(buckets: WordBuckets): readonly (readonly number[])[] {
  const known = placesOf.get(buckets) ?? Array.from({ length: BLOCK_ROWS }, (): number[] => []);
  if (!placesOf.has(buckets)) buckets.slots.forEach((slot, at) => void known[slot]?.push(at));
  placesOf.set(buckets, known);
  return known;
}

/** The words of a slot as an entry has them. */
function toSlotDigest({ words }: EntryBlock, slot: number): string {
  const { terms, unigrams, starts, hashes, rests, buckets } = words;
  const [start = 0, end = 0] = starts.subarray(slot, slot + 2);
  const own = buckets === undefined ? range(start, end - start) : (toPlaces(buckets)[slot] ?? []);
  const at = (column: Uint32Array) => own.map((place) => column[place] ?? 0);
  return toDigest([terms[slot] ?? 0, unigrams[slot] ?? 0], at(hashes), at(rests));
}

/** Where a number of a slot's vector stands. */
const toPlace = ({ isSealed }: EntryBlock, slot: number, dimension: number): number =>
  isSealed ? dimension * BLOCK_ROWS + slot : slot * DIMENSIONS + dimension;

/** What a cache shows of rows, in their order, and which rows it had to read. */
function visit(
  cache: ReturnType<typeof createEntryCache>,
  rows: readonly number[],
  versions: ReadonlyMap<number, number>,
) {
  const read: number[] = [];
  const seen: unknown[] = [];
  const readEntries = (asked: readonly number[]) => {
    read.push(...asked);
    // In another order than asked for, as a database may.
    return [...asked].reverse().map((row) => toEntry(row, versions.get(row) ?? 0));
  };
  cache.visit(rows, readEntries, ({ block, slots, positions, count }) => {
    for (let at = 0; at < count; at += 1) {
      const slot = slots[at] ?? 0;
      const words = toSlotDigest(block, slot);
      const norm = block.norms[slot];
      const vector = Number.isNaN(norm)
        ? undefined
        : Array.from({ length: DIMENSIONS }, (_, at) => block.vectors[toPlace(block, slot, at)]);
      if (seen[positions[at] ?? 0] !== undefined) throw new Error('a row was shown twice');
      seen[positions[at] ?? 0] = { words, norm, vector };
    }
  });
  return { read, seen };
}

function expected(rows: readonly number[], versions: ReadonlyMap<number, number>): unknown[] {
  return rows.map((row) => {
    const { words, norm } = toEntry(row, versions.get(row) ?? 0);
    const vector = norm === null ? undefined : [row, versions.get(row) ?? 0, 1];
    return { words: toWordsDigest(new Uint32Array(words.buffer)), norm: norm ?? Number.NaN, vector };
  });
}

const range = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at);
const rows = fc.tuple(fc.nat(1_500), fc.integer({ min: 1, max: 900 })).map(([from, count]) => range(from, count));

describe('the cache of entries', () => {
  it('shows every row once and as it is, whatever fits', () => {
    const step = fc.oneof(fc.record({ rows }), fc.record({ changed: fc.nat(2_400) }));
    const property = fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0, 200_000, 500_000, 2_000_000, 2 ** 25),
      (steps, maxBytes) => {
        const cache = createEntryCache(maxBytes, DIMENSIONS);
        const versions = new Map<number, number>();
        for (const one of steps) {
          // Equal by Node's own comparison: the matcher takes seconds for thousands of arrays.
          if ('rows' in one)
            assert.deepStrictEqual(visit(cache, one.rows, versions).seen, expected(one.rows, versions));
          else {
            versions.set(one.changed, (versions.get(one.changed) ?? 0) + 1);
            cache.forget(one.changed);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 6 });
  });

  it('reads nothing again that fits, only what changed, and all after it was cleared', () => {
    const cache = createEntryCache(2 ** 25, DIMENSIONS);
    const all = range(1, 600);
    expect(visit(cache, all, new Map()).read).toHaveLength(600);
    expect(visit(cache, all, new Map()).read).toEqual([]);
    cache.forget(300);
    expect(visit(cache, all, new Map([[300, 1]])).read).toEqual([300]);
    cache.clear();
    expect(visit(cache, all, new Map()).read).toHaveLength(600);
  });

  it('keeps a part of a selection that does not fit, and gives it up for another that is used later', () => {
    const cache = createEntryCache(450_000, DIMENSIONS);
    const large = range(1, 90).concat(
      range(100, 90),
      range(200, 90),
      range(300, 90),
      range(400, 90),
      range(500, 90),
      range(600, 90),
      range(700, 90),
    );
    visit(cache, large, new Map());
    const again = visit(cache, large, new Map()).read.length;
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(large.length);
    const other = range(2_040, 90); // None of them is long.
    visit(cache, other, new Map());
    expect(visit(cache, other, new Map()).read).toEqual([]);
  });
});
