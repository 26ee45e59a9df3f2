import { ContextloomError } from '@contextloom/contracts';
import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import { createReadingThreads } from '../reading-threads.ts';
import { openIndexReader, type ReadTask, type StatementRows } from './reader.ts';
import type { IndexDefinition } from './schema.ts';
import type { HybridHits, HybridQuery, SqlPart } from './search.ts';

/** Where a database is read. */
export interface ReadingOptions {
  readonly file: string;
  /** Most threads next to this one; with 0 this one reads all, and stands still meanwhile. */
  readonly threads: number;
  /** Most bytes that searches keep in memory, all threads together. */
  readonly cacheBytes: number;
  /** From how many rows on a call is worth the way to another thread. */
  readonly threadsFromRows?: number;
}

/** Reads the database of indexes: what is about few rows in this thread, the rest in others. */
export interface Reading {
  /** @param scope a query whose rows tell how much there is to read; the selection when absent */
  search(definition: IndexDefinition, query: HybridQuery, scope?: SqlPart): Promise<HybridHits>;
  /** Runs statements that read, all on one state of the database. */
  read(statements: readonly SqlPart[], scope: SqlPart): Promise<StatementRows>;
  close(): Promise<void>;
}

/** Fewer rows are read and scored in about the time of the way to another thread and back. */
const THREADS_FROM_ROWS = 257;

/** The program of a reading thread. In dist whichever is running, since threads of Node 20 cannot load TypeScript: tests over the sources use the built one. */
export const readWorker = new URL('../../dist/hybrid-index/read-worker.js', import.meta.url);

/**
 * Builds the reading of a database whose file exists. Each thread keeps its own part of what is cached; this one keeps
 * nothing when there are others, since it reads few rows at a time.
 */
export function createReading({
  file,
  threads,
  cacheBytes,
  threadsFromRows = THREADS_FROM_ROWS,
}: ReadingOptions): Reading {
  let isClosed = false;
  const here = openIndexReader({ file, cacheBytes: threads === 0 ? cacheBytes : 0 });
  const runInSlices = createTimeSlices();
  const performHere = <Result>(task: ReadTask): Promise<Result> =>
    runInSlices(() => {
      if (isClosed) throw new ContextloomError('unavailable', 'the store is closed');
      return here.perform(task) as Result;
    });
  const others = createReadingThreads<ReadTask>({
    file: readWorker,
    workerData: { file, cacheBytes: Math.floor(cacheBytes / Math.max(1, threads)) },
    size: threads,
  });

  const isLarge = async ({ sql, params }: SqlPart): Promise<boolean> => {
    if (threads === 0) return false;
    const counting = { sql: `SELECT count(*) AS rows FROM (${sql} LIMIT ?)`, params: [...params, threadsFromRows] };
    const [[counted]] = await performHere<[[{ readonly rows: number }]]>({ kind: 'read', statements: [counting] });
    return counted.rows >= threadsFromRows;
  };
  const perform = async <Result>(task: ReadTask, scope: SqlPart): Promise<Result> =>
    (await isLarge(scope)) ? ((await others.run(task)) as Result) : performHere<Result>(task);
  return {
    search: (definition, query, scope = query.selection) => perform({ kind: 'search', definition, query }, scope),
    read: (statements, scope) => perform({ kind: 'read', statements }, scope),
    close: async () => {
      isClosed = true;
      await others.close();
      here.close();
    },
  };
}
