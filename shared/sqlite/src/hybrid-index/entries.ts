import type { Tokens } from '@contextloom/retrieval';
import type { Database } from '../open-database.ts';
import { toVectorBlob } from '../vectors.ts';
import type { IndexDefinition } from './schema.ts';
import { toWords } from './words.ts';

/** What the index holds of a row, ready to be written. */
export interface IndexEntry {
  readonly words: Buffer;
  /** Absent where the vector that is there stays, or where there is none. */
  readonly vector?: Buffer | undefined;
  readonly norm?: number | undefined;
}

/** An entry as the database holds it. */
export interface EntryRow {
  readonly row: number;
  readonly words: Buffer;
  readonly vector: Buffer | null;
  readonly norm: number | null;
}

/**
 * The sum of the products of a query and the vector that begins at `from`, always in the same order: four sums, since each
 * addition waits for the one before. What is read lies inside of both: `?? 0` would take twice the time.
 */
export function dotProduct(vectors: Float32Array, from: number, query: Float64Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const even = query.length - (query.length % 4);
  for (let at = 0; at < even; at += 4) {
    first += (vectors[from + at] as number) * (query[at] as number);
    second += (vectors[from + at + 1] as number) * (query[at + 1] as number);
    third += (vectors[from + at + 2] as number) * (query[at + 2] as number);
    fourth += (vectors[from + at + 3] as number) * (query[at + 3] as number);
  }
  for (let at = even; at < query.length; at += 1) first += (vectors[from + at] as number) * (query[at] as number);
  return first + second + third + fourth;
}

/** The length of a vector. */
export function toNorm(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, 0, Float64Array.from(vector)));
}

/**
 * Makes the entry of a text.
 * @throws ContextloomError `internal` for a vector of other dimensions, or with a value that is not finite
 */
export function toIndexEntry(text: Tokens | string, vector: Float32Array | undefined, dimensions: number): IndexEntry {
  const words = toWords(text);
  return {
    words: Buffer.from(words.buffer, words.byteOffset, words.byteLength),
    ...(vector !== undefined && {
      vector: toVectorBlob(vector, dimensions),
      norm: toNorm(vector),
    }),
  };
}

/** Reads the entries of rows one by one, in any order; rows that have none are left out. */
export type ReadEntries = (rows: readonly number[]) => Iterable<EntryRow>;

/** Builds the reading of an index's entries. */
export function createReadEntries(database: Database, { name }: IndexDefinition): ReadEntries {
  const read = database.prepare<[string], EntryRow>(
    `SELECT e.row, e.words, e.vector, e.norm FROM json_each(?) asked CROSS JOIN ${name}_entries e ON e.row = asked.value`,
  );
  return (rows) => read.iterate(JSON.stringify(rows));
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
