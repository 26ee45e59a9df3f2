import type { Tokens } from '@contextloom/retrieval';
import type { Database } from '../open-database.ts';
import { toVectorBlob } from '../vectors.ts';
import type { IndexDefinition } from './schema.ts';
import { toWords, type Words } from './words.ts';

/** What the index holds of a row, ready to be written. */
export interface IndexEntry {
  readonly words: Buffer;
  /** Absent where the vector that is there stays, or where there is none. */
  readonly vector?: Buffer | undefined;
  readonly norm?: number | undefined;
}

/** What a search reads of a row. */
export interface ReadEntry {
  readonly row: number;
  readonly words: Words;
  readonly vector: Float32Array | undefined;
  /** The length of the vector. */
  readonly norm: number;
}

interface EntryRow {
  readonly row: number;
  readonly words: Buffer;
  readonly vector: Buffer | null;
  readonly norm: number | null;
}

/**
 * The sum of the products of a vector and a query's, always in the same order: four sums, since each addition waits for the
 * one before. What is read lies inside of both: `?? 0` would double the time.
 */
export function dotProduct(a: Float32Array, b: Float64Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const even = a.length - (a.length % 4);
  for (let at = 0; at < even; at += 4) {
    first += (a[at] as number) * (b[at] as number);
    second += (a[at + 1] as number) * (b[at + 1] as number);
    third += (a[at + 2] as number) * (b[at + 2] as number);
    fourth += (a[at + 3] as number) * (b[at + 3] as number);
  }
  for (let at = even; at < a.length; at += 1) first += (a[at] as number) * (b[at] as number);
  return first + second + third + fourth;
}

/** The length of a vector. */
export function toNorm(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, Float64Array.from(vector)));
}

/**
 * Makes the entry of a text.
 * @throws ContextloomError `internal` for a vector of other dimensions, or with a value that is not finite
 */
export function toIndexEntry(tokens: Tokens, vector: Float32Array | undefined, dimensions: number): IndexEntry {
  const words = toWords(tokens);
  return {
    words: Buffer.from(words.buffer, words.byteOffset, words.byteLength),
    ...(vector !== undefined && {
      vector: toVectorBlob(vector, dimensions),
      norm: toNorm(vector),
    }),
  };
}

/** The bytes of a blob where numbers of 32 bits can be read in place: their size has to divide the address. */
function toAligned({ buffer, byteOffset, byteLength }: Buffer): [ArrayBufferLike, number, number] {
  if (byteOffset % 4 === 0) return [buffer, byteOffset, byteLength / 4];
  return [buffer.slice(byteOffset, byteOffset + byteLength), 0, byteLength / 4];
}

/** A vector as the index holds it. */
export function toVector(blob: Buffer): Float32Array {
  return new Float32Array(...toAligned(blob));
}

function toReadEntry({ row, words, vector, norm }: EntryRow): ReadEntry {
  return {
    row,
    words: new Uint32Array(...toAligned(words)),
    vector: vector === null ? undefined : toVector(vector),
    norm: norm ?? 0,
  };
}

/** Reads the entries of rows, in any order; rows that have none are left out. */
export type ReadEntries = (rows: readonly number[]) => readonly ReadEntry[];

/** Builds the reading of an index's entries. */
export function createReadEntries(database: Database, { name }: IndexDefinition): ReadEntries {
  const read = database.prepare<[string], EntryRow>(
    `SELECT e.row, e.words, e.vector, e.norm FROM json_each(?) asked CROSS JOIN ${name}_entries e ON e.row = asked.value`,
  );
  return (rows) => read.all(JSON.stringify(rows)).map(toReadEntry);
}

/** Writes the entry of a row, inside a transaction of the caller's. */
export type PutEntry = (row: number, entry: IndexEntry) => void;

/** Builds the writing of entries that are searched at once. */
export function createPutEntry(database: Database, { name }: IndexDefinition): PutEntry {
  const noteChange = database.prepare<[number]>(
    `INSERT OR REPLACE INTO ${name}_changes (row) SELECT row FROM ${name}_entries WHERE row = ?`,
  );
  const forgetNext = database.prepare<[number]>(`DELETE FROM ${name}_entries_next WHERE row = ?`);
  const put = database.prepare(
    `INSERT INTO ${name}_entries (row, words, vector, norm) VALUES (?, ?, ?, ?) ON CONFLICT (row) DO UPDATE
     SET words = excluded.words, vector = coalesce(excluded.vector, vector), norm = coalesce(excluded.norm, norm)`,
  );
  return (row, { words, vector, norm }) => {
    noteChange.run(row);
    forgetNext.run(row);
    put.run(row, words, vector ?? null, norm ?? null);
  };
}
