import type { Tokens } from '@contextloom/retrieval';
import type { Database } from '../../database/open-database.ts';
import { toVectorBlob } from '../../vectors.ts';
import { toWords } from '../search/words.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { toNorm } from './dot-product.ts';

/** The index entry of a row, ready to be written. */
export interface IndexEntry {
  readonly words: Buffer;
  /** Absent to keep the present vector, or to store none. */
  readonly vector?: Buffer | undefined;
  readonly norm?: number | undefined;
}

/** An entry as the database stores it. */
export interface EntryRow {
  readonly row: number;
  readonly words: Buffer;
  readonly vector: Buffer | null;
  readonly norm: number | null;
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
