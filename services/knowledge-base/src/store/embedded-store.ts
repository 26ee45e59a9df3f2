import { ContextloomError } from '@contextloom/contracts';
import { type Database, openDatabase, withStorageErrors } from '@contextloom/sqlite';
import { INDEX_VERSION } from '../domain/tuning.ts';
import { createFillingRecord } from './embedded/filling.ts';
import { createReader } from './embedded/reader.ts';
import { createRebuild } from './embedded/rebuild.ts';
import { createScan } from './embedded/scan.ts';
import { migrations } from './embedded/schema.ts';
import { createWriter } from './embedded/writer.ts';
import type { DocumentStore, EmbedderIdentity } from './store.ts';

/** How a store is used. */
export interface EmbeddedStoreSettings {
  readonly embedder: EmbedderIdentity;
  /** What to do when another embedder filled the store: refuse it, or open it so that it can be rebuilt. */
  readonly onMismatch?: 'refuse' | 'rebuild';
  readonly indexVersion?: number;
}

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
  { embedder, onMismatch = 'refuse', indexVersion = INDEX_VERSION }: EmbeddedStoreSettings,
): DocumentStore {
  const run = <T>(work: () => T): T => {
    if (!database.open) throw new ContextloomError('unavailable', 'the store is closed');
    return withStorageErrors(work);
  };
  const filling = createFillingRecord(database, { embedder, indexVersion });
  const isOwn = run(() => database.transaction(filling.claim).immediate());
  if (!isOwn && onMismatch === 'refuse') filling.check();
  const writer = createWriter(database, filling, embedder.dimensions);
  const reader = createReader(database, filling, embedder.dimensions);
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
    read: async (ids, selection) => run(() => reader.read(ids, selection)),
    find: async (query, selection, limit) => run(() => reader.find(query, selection, limit)),
    list: async (selection, page) => run(() => reader.list(selection, page)),
    stats: async (visible) => run(() => reader.stats(visible)),
    rebuild,
    indexState: async () => run(() => database.transaction(filling.toState)()),
    flush: async () => void run(() => database.pragma('wal_checkpoint(PASSIVE)')),
    close: async () => void withStorageErrors(() => database.close()),
  };
}
