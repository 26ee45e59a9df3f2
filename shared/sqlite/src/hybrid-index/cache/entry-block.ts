import { createWordColumns, type WordColumns } from '../search/word-columns.ts';
import type { EntryRow } from './entries.ts';

/** Rows of a block. */
export const BLOCK_ROWS = 256;
/** Different words that a block begins with room for: some 64 a row. */
const WORDS = BLOCK_ROWS * 64;

/** The entries of some rows, one after the other in memory, each in a slot: a search goes through it without a detour. */
export interface EntryBlock {
  /** How many numbers a vector has. */
  readonly dimensions: number;
  readonly rows: Float64Array;
  /** How many slots are taken. */
  readonly count: number;
  /** One vector after the other; once the block is sealed one dimension after the other, each with a number for every slot. */
  readonly vectors: Float32Array;
  readonly isSealed: boolean;
  /** The lengths of the vectors; NaN without a vector. */
  readonly norms: Float64Array;
  readonly words: WordColumns;
  readonly bytes: number;
  /** Takes a slot for a row; the caller makes sure that one is free. */
  add(row: EntryRow): number;
  /** Puts what it has in another order, once all slots are taken, so that searches read less of it. */
  seal(): void;
  clear(): void;
}

/** The numbers of 32 bits in a blob, in place where their size divides the address. */
function toNumbers<T>(
  { buffer, byteOffset, byteLength }: Buffer,
  Numbers: new (buffer: ArrayBufferLike, offset: number, length: number) => T,
): T {
  if (byteOffset % 4 === 0) return new Numbers(buffer, byteOffset, byteLength / 4);
  return new Numbers(buffer.slice(byteOffset, byteOffset + byteLength), 0, byteLength / 4);
}

/** A vector as the index holds it. */
export function toVector(blob: Buffer): Float32Array {
  return toNumbers(blob, Float32Array);
}

/** Turns vectors one after the other into their dimensions one after the other. */
function toColumns(vectors: Float32Array): Float32Array<ArrayBuffer> {
  const columns = new Float32Array(vectors.length);
  for (let slot = 0, at = 0; slot < BLOCK_ROWS; slot += 1) {
    for (let place = slot; place < columns.length; place += BLOCK_ROWS, at += 1) columns[place] = vectors[at] as number;
  }
  return columns;
}

/** Builds a block without rows. */
export function createEntryBlock(dimensions: number): EntryBlock {
  const rows = new Float64Array(BLOCK_ROWS);
  let vectors = new Float32Array(BLOCK_ROWS * dimensions);
  let isSealed = false;
  const norms = new Float64Array(BLOCK_ROWS);
  const toWordColumns = (): WordColumns => createWordColumns(BLOCK_ROWS, WORDS);
  let words = toWordColumns();
  let count = 0;
  return {
    dimensions,
    rows,
    norms,
    get vectors() {
      return vectors;
    },
    get isSealed() {
      return isSealed;
    },
    get words() {
      return words;
    },
    get count() {
      return count;
    },
    get bytes() {
      return vectors.byteLength + words.bytes + BLOCK_ROWS * 128; // What is kept of each row next to these.
    },
    add: ({ row, words: counted, vector, norm }) => {
      const slot = count;
      count += 1;
      rows[slot] = row;
      norms[slot] = norm ?? Number.NaN;
      if (vector !== null) vectors.set(toVector(vector), slot * dimensions);
      words.set(slot, toNumbers(counted, Uint32Array));
      return slot;
    },
    seal: () => {
      words.sort();
      vectors = toColumns(vectors);
      isSealed = true;
    },
    clear: () => {
      count = 0;
      if (words.hashes.length > WORDS) words = toWordColumns();
    },
  };
}
