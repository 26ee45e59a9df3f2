import { availableParallelism } from 'node:os';
import { withStorageErrors } from '../database/errors.ts';
import { type Database, type OpenDatabaseOptions, openDatabase } from '../database/open-database.ts';
import { createTransactions, type Transactions } from '../database/transactions.ts';
import { createFileCheck } from '../files/file-presence.ts';
import { createReading, type Reading, type ReadingOptions } from './search/reading.ts';

/** A database with indexes: one connection writes, others read. */
export interface IndexedDatabase {
  /** The connection that writes. */
  readonly database: Database;
  /** Its transactions: between the slices of one, nothing else may run on the connection. */
  readonly transactions: Transactions;
  readonly reading: Reading;
  /** Waits for what was requested, except for what waits for a thread. */
  close(): Promise<void>;
}

/** How a database with indexes is opened. */
export interface OpenIndexedDatabaseOptions
  extends OpenDatabaseOptions,
    Pick<Partial<ReadingOptions>, 'threads' | 'cacheBytes' | 'threadsFromRows'> {}

const MAX_THREADS = 4;
/** The entries of some 100,000 texts of 60 words with vectors of 384 dimensions. */
const CACHE_BYTES = 256 * 2 ** 20;

/** One core stays free for the thread that writes and answers; otherwise it waits milliseconds for its turn. */
function toThreads(): number {
  return Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
}

/**
 * Opens a database whose migrations make the tables of its indexes; other processes may have it open too.
 * @throws ContextloomError as `openDatabase` does
 */
export function openIndexedDatabase({
  threads = toThreads(),
  cacheBytes = CACHE_BYTES,
  threadsFromRows,
  ...options
}: OpenIndexedDatabaseOptions): IndexedDatabase {
  const database = openDatabase(options);
  try {
    const checkFile = createFileCheck(database);
    const transactions = createTransactions(database, { ...options, checkFile });
    const place = { threads, cacheBytes, checkFile, ...(threadsFromRows !== undefined && { threadsFromRows }) };
    const reading = createReading({ file: database.name, cipherKey: options.cipherKey, ...place });
    return {
      database,
      transactions,
      reading,
      close: async () => {
        await Promise.all([reading.close(), transactions.close()]);
        withStorageErrors(() => database.close());
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
