import {
  createHybridIndex,
  type IndexedDatabase,
  type OpenIndexedDatabaseOptions,
  openIndexedDatabase,
  withStorageErrors,
} from '@contextloom/sqlite';
import type { DocumentStore, EmbedderIdentity } from '../domain/store.ts';
import { INDEX_VERSION } from '../domain/tuning.ts';
import { createReader } from './embedded/reader.ts';
import { createRebuild } from './embedded/rebuild.ts';
import { createScan } from './embedded/scan.ts';
import { INDEXED, migrations } from './embedded/schema.ts';
import { createWriter } from './embedded/writer.ts';
import { toFingerprintText, toMismatchError } from './fingerprint.ts';

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
export async function openEmbeddedStore(
  options: EmbeddedStoreSettings & Omit<OpenIndexedDatabaseOptions, 'migrations'>,
): Promise<DocumentStore> {
  const indexed = openIndexedDatabase({ ...options, migrations });
  try {
    return await createEmbeddedStore(indexed, options);
  } catch (error) {
    await indexed.close();
    throw error;
  }
}

/** Builds the store over an open database that has its schema; closing the store closes the database. */
export async function createEmbeddedStore(
  indexed: IndexedDatabase,
  { embedder, onMismatch = 'refuse', indexVersion = INDEX_VERSION }: EmbeddedStoreSettings,
): Promise<DocumentStore> {
  const { database, transactions, reading } = indexed;
  const fingerprint = toFingerprintText({ embedder, indexVersion });
  const index = createHybridIndex({
    definition: { ...INDEXED, dimensions: embedder.dimensions, fingerprint },
    indexed,
    toMismatchError: (found, own) => toMismatchError(database.name, found, own),
  });
  const isOwn = await index.claim();
  if (!isOwn && onMismatch === 'refuse') index.check();
  return {
    kind: 'embedded',
    check: async () => {
      await reading.read([{ sql: 'SELECT 1 FROM documents LIMIT 1', params: [] }], 0);
      index.check();
    },
    ...createWriter({ database, transactions, index }),
    ...createReader(reading, index),
    scan: createScan(reading, index),
    rebuild: createRebuild(database, index),
    indexState: async () => index.state(),
    flush: async () => void withStorageErrors(() => database.pragma('wal_checkpoint(PASSIVE)')),
    close: indexed.close,
  };
}
