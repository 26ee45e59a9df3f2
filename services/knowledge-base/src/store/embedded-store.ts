import { availableParallelism } from 'node:os';
import { ContextloomError } from '@contextloom/contracts';
import { createFileCheck, type Database, openDatabase, withStorageErrors } from '@contextloom/sqlite';
import type { DocumentStore, EmbedderIdentity } from '../domain/store.ts';
import { INDEX_VERSION, MAX_ROWS_READ } from '../domain/tuning.ts';
import { createFillingRecord } from './embedded/filling.ts';
import { createReader, type Holding } from './embedded/reader.ts';
import { createReading } from './embedded/reading.ts';
import { createRebuild } from './embedded/rebuild.ts';
import { createScan } from './embedded/scan.ts';
import { migrations } from './embedded/schema.ts';
import { createWriter } from './embedded/writer.ts';

/** How a store is used. */
export interface EmbeddedStoreSettings {
  readonly embedder: EmbedderIdentity;
  /** What to do when another embedder filled the store: refuse it, or open it so that it can be rebuilt. */
  readonly onMismatch?: 'refuse' | 'rebuild';
  readonly indexVersion?: number;
  /** Most threads that read beside this one; with 0 this one reads all, and stands still meanwhile. */
  readonly readingThreads?: number;
  /** From how many visible documents on a call is read in another thread. */
  readonly threadsFromRows?: number;
  /** From how many documents on a search keeps in memory what it reads, and how many bytes of that each thread holds. */
  readonly holding?: Holding;
}

/**
 * Of fewer rows a search in this thread takes two milliseconds, and the way to another a quarter more; from here on those
 * threads are faster, since they hold what they have read (2.8 ms to 5.0 of 500 rows, 7.5 to 23 of 2,000).
 */
const THREADS_FROM_ROWS = MAX_ROWS_READ + 1;
const MAX_THREADS = 4;

/** One core stays for the thread that writes and answers: with as many that read, it waits its turn for milliseconds. */
function toThreads(): number {
  return Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
}

/** Up to MAX_ROWS_READ rows a search reads all words anyway; three quarters of it are some 100,000 documents of 60 words. */
const HOLDING: Holding = { fromRows: MAX_ROWS_READ + 1, maxBytes: 160 * 2 ** 20 };

/**
 * Opens (or makes) the store in one SQLite file; other processes may have it open too.
 * @throws ContextloomError `unavailable` when the file cannot be used, or another embedder filled it
 */
export async function openEmbeddedStore({
  file,
  ...settings
}: EmbeddedStoreSettings & { readonly file: string }): Promise<DocumentStore> {
  const database = openDatabase({ file, migrations });
  try {
    return createEmbeddedStore(database, settings);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Builds the store over an open database that has its schema; closing the store closes the database. */
export function createEmbeddedStore(
  database: Database,
  {
    embedder,
    onMismatch = 'refuse',
    indexVersion = INDEX_VERSION,
    readingThreads: threads = toThreads(),
    threadsFromRows: fromRows = THREADS_FROM_ROWS,
    holding = HOLDING,
  }: EmbeddedStoreSettings,
): DocumentStore {
  let isClosed = false;
  let checkFile: (() => void) | undefined;
  const run = <T>(work: () => T): T => {
    if (isClosed || !database.open) throw new ContextloomError('unavailable', 'the store is closed');
    const outcome = withStorageErrors(work);
    checkFile?.(); // After the work, which is not acknowledged when its file is gone.
    return outcome;
  };
  const own = { embedder, indexVersion };
  const filling = createFillingRecord(database, own);
  const isOwn = run(() => database.transaction(filling.claim).immediate());
  if (!isOwn && onMismatch === 'refuse') filling.check();
  checkFile = createFileCheck(database);
  const writer = createWriter(database, filling, embedder.dimensions);
  const reader = createReader(database, filling, embedder.dimensions);
  const reading = createReading({ database, reader, filling: own, run }, { threads, fromRows, holding });
  const rebuild = createRebuild({ database, filling, dimensions: embedder.dimensions, run });
  const readAny = database.prepare('SELECT 1 FROM documents LIMIT 1');
  return {
    kind: 'embedded',
    check: async () =>
      run(() => {
        readAny.get();
        filling.check();
      }),
    put: async (writes, options) => run(() => writer.put(writes, options)),
    restore: async (writes) => run(() => writer.restore(writes)),
    scan: createScan({ database, filling, run }),
    replace: async (revision, write, options) => run(() => writer.replace(revision, write, options)),
    remove: async (revision) => run(() => writer.remove(revision)),
    read: reading.read,
    find: reading.find,
    list: reading.list,
    stats: reading.stats,
    rebuild,
    indexState: async () => run(() => database.transaction(filling.toState)()),
    flush: async () => void run(() => database.pragma('wal_checkpoint(PASSIVE)')),
    close: async () => {
      isClosed = true;
      await reading.close();
      withStorageErrors(() => database.close());
    },
  };
}
