import { createTimeSlices } from '@contextloom/retrieval/scheduling';
import { createPrepare, type Database } from '@contextloom/sqlite';
import type { DocumentStore, Synchronous, Visibility } from '../../domain/store.ts';
import type { Filling } from '../filling.ts';
import type { Holding } from './reader.ts';
import { createReadingThreads, type Reading } from './reading-threads.ts';
import { toVisibilitySql } from './selection-sql.ts';

/** Where documents are read. */
export interface ReadingPlace {
  /** Most threads that read beside the one that writes; with none, that one reads all. */
  readonly threads: number;
  /** From how many visible documents on a call is worth the way to another thread. */
  readonly fromRows: number;
  /** What each thread keeps in memory. */
  readonly holding: Holding;
}

/** What reading is done with. */
export interface ReadingParts {
  readonly database: Database;
  /** Reads in this thread. */
  readonly reader: Reading & Synchronous<'read'>;
  readonly filling: Filling;
  /** Runs each step of this thread, and says what went wrong in the store's own words. */
  readonly run: <T>(step: () => T) => T;
}

/** Builds the test whether a call may see `count` documents or more, which looks at no more than that. */
function createIsLarge(database: Database, count: number): (visible: Visibility) => boolean {
  const prepare = createPrepare(database);
  return (visible) => {
    const { sql, params } = toVisibilitySql(visible);
    const seen = prepare<number>(`SELECT count(*) FROM (SELECT 1 FROM documents d WHERE ${sql} LIMIT ?)`)
      .pluck()
      .get(...params, count);
    return (seen ?? 0) >= count;
  };
}

/** Builds the calls that read: each is answered here when it is about few documents, and in a thread of its own otherwise. */
export function createReading(
  { database, reader, filling, run }: ReadingParts,
  { threads, fromRows, holding }: ReadingPlace,
): Pick<DocumentStore, 'read' | 'find' | 'list' | 'stats' | 'close'> {
  const runInSlices = createTimeSlices();
  const runHere = <T>(work: () => T): Promise<T> => runInSlices(() => run(work));
  const here: Pick<DocumentStore, keyof Reading | 'read'> = {
    read: (...args) => runHere(() => reader.read(...args)),
    find: (...args) => runHere(() => reader.find(...args)),
    list: (...args) => runHere(() => reader.list(...args)),
    stats: (...args) => runHere(() => reader.stats(...args)),
  };
  if (threads === 0) return { ...here, close: async () => undefined };
  const pool = createReadingThreads({ file: database.name, filling, holding }, threads);
  const isLarge = createIsLarge(database, fromRows);
  const isForThread = (visible: Visibility): boolean => run(() => isLarge(visible));
  return {
    read: here.read,
    find: async (...args) => (isForThread(args[1].visible) ? pool.call('find', ...args) : here.find(...args)),
    list: async (...args) => (isForThread(args[0].visible) ? pool.call('list', ...args) : here.list(...args)),
    stats: async (...args) => (isForThread(args[0]) ? pool.call('stats', ...args) : here.stats(...args)),
    close: () => pool.close(),
  };
}
