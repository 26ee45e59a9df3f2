import { createTimeSlices } from '@contextloom/runtime/scheduling';
import { toBuiltFile } from '../../threads/built-file.ts';
import { createReadingThreads } from '../../threads/reading-threads.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { openIndexReader, type ReadTask, type StatementRows } from './reader.ts';
import type { HybridHits, HybridQuery, SqlPart } from './search.ts';

/** Where a database is read. */
export interface ReadingOptions {
  readonly file: string;
  /** Most threads next to this one; with 0 this one reads all, and blocks. */
  readonly threads: number;
  /** Most bytes that searches keep in memory, all threads together. */
  readonly cacheBytes: number;
  /** The least rows of a call that goes to another thread. */
  readonly threadsFromRows?: number;
  /** Throws when the file is not where it was opened. */
  readonly checkFile?: () => void;
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
}

/** Reads the database of indexes: what is about few rows in this thread, the rest in others. */
export interface Reading {
  /** How many rows a query has, counted up to `most`. */
  count(query: SqlPart, most: number): Promise<number>;
  /** @param rows how many rows there are to look through; those of the selection are counted when absent */
  search(definition: IndexDefinition, query: HybridQuery, rows?: number): Promise<HybridHits>;
  /** Runs statements that read, all on one state of the database; `rows` as in `search`. */
  read(statements: readonly SqlPart[], rows: number): Promise<StatementRows>;
  close(): Promise<void>;
}

/** Reading and scoring fewer rows takes about as long as the round trip to another thread. */
const THREADS_FROM_ROWS = 257;

/** The share of the cache for this thread next to others: it searches few rows at a time. */
const SHARE_HERE = 1 / 8;

/** The program of a reading thread. */
export const readWorker = toBuiltFile('hybrid-index/search/read-worker.js');

/**
 * Builds the reading of a database whose file exists. Each thread has its own part of what is cached.
 */
export function createReading({
  file,
  threads,
  cacheBytes,
  threadsFromRows = THREADS_FROM_ROWS,
  checkFile,
  cipherKey,
}: ReadingOptions): Reading {
  const own = threads === 0 ? cacheBytes : Math.floor(cacheBytes * SHARE_HERE);
  const here = openIndexReader({ file, cacheBytes: own, cipherKey });
  const workerData = { file, cacheBytes: Math.floor((cacheBytes - own) / Math.max(1, threads)), cipherKey };
  const runInSlices = createTimeSlices();
  let isClosed = false;
  const performHere = <Result>(task: ReadTask): Promise<Result> =>
    runInSlices(() => {
      try {
        return here.perform(task) as Result;
      } finally {
        if (!isClosed) checkFile?.(); // Says more than the error that a missing file causes.
      }
    });
  const others =
    threads === 0 ? undefined : createReadingThreads<ReadTask>({ file: readWorker, workerData, size: threads });

  const count = async ({ sql, params }: SqlPart, most: number): Promise<number> => {
    const counting = { sql: `SELECT count(*) AS rows FROM (${sql} LIMIT ?)`, params: [...params, most] };
    const [[counted]] = await performHere<[[{ readonly rows: number }]]>({ kind: 'read', statements: [counting] });
    return counted.rows;
  };
  const perform = async <Result>(task: ReadTask, rows: number): Promise<Result> =>
    others !== undefined && rows >= threadsFromRows ? ((await others.run(task)) as Result) : performHere<Result>(task);
  return {
    count,
    search: async (definition, query, rows) =>
      perform({ kind: 'search', definition, query }, rows ?? (await count(query.selection, threadsFromRows))),
    read: (statements, rows) => perform({ kind: 'read', statements }, rows),
    close: async () => {
      isClosed = true;
      await others?.close();
      here.close();
    },
  };
}
