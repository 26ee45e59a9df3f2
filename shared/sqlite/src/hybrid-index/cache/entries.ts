import type { Tokens } from '@contextloom/retrieval';
import { withStorageErrors } from '../../database/errors.ts';
import type { Database } from '../../database/open-database.ts';
import { toVectorBlob } from '../../vectors.ts';
import { toWords } from '../search/words.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { toNorm } from './dot-product.ts';

/** The index entry of a row, ready to be written. */
export interface IndexEntry {
  readonly words: Buffer;
  /** Absent to keep the present vector; null for none, until there is one of this text. */
  readonly vector?: Buffer | null | undefined;
  readonly norm?: number | null | undefined;
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
export function toIndexEntry(
  text: Tokens | string,
  vector: Float32Array | null | undefined,
  dimensions: number,
): IndexEntry {
  const counted = toWords(text);
  const words = Buffer.from(counted.buffer, counted.byteOffset, counted.byteLength);
  if (vector === undefined) return { words };
  if (vector === null) return { words, vector: null, norm: null };
  return { words, vector: toVectorBlob(vector, dimensions), norm: toNorm(vector) };
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
     SET words = excluded.words, vector = excluded.vector, norm = excluded.norm`,
  );
  const putWords = database.prepare(
    `INSERT INTO ${name}_entries (row, words) VALUES (?, ?) ON CONFLICT (row) DO UPDATE SET words = excluded.words`,
  );
  return (row, { words, vector, norm }) => {
    noteChange.run(row);
    forgetNext.run(row);
    if (vector === undefined) putWords.run(row, words);
    else put.run(row, words, vector, norm ?? null);
  };
}

/** Builds the reading of rows after one that have no vector, in order. */
export function createFindWithoutVector(
  database: Database,
  { name }: IndexDefinition,
): (limit: number, after?: number) => readonly number[] {
  const find = database
    .prepare<[number, number], number>(
      `SELECT row FROM ${name}_entries WHERE vector IS NULL AND row > ? ORDER BY row LIMIT ?`,
    )
    .pluck();
  return (limit, after = -1) => find.all(after, limit);
}

/** Builds the count of rows that have no vector. */
export function createCountWithoutVector(database: Database, { name }: IndexDefinition): () => number {
  const count = database.prepare<[], number>(`SELECT count(*) FROM ${name}_entries WHERE vector IS NULL`).pluck();
  return () => withStorageErrors(() => count.get() ?? 0);
}
