import { settled } from '@contextloom/runtime/scheduling';
import {
  createErasing,
  createHybridIndex,
  eraseFile,
  type HybridIndex,
  type IndexedDatabase,
  type OpenIndexedDatabaseOptions,
  openIndexedDatabase,
  type Reading,
  readFingerprint,
  toVector,
  withStorageErrors,
} from '@contextloom/sqlite';
import { INDEX_VERSION } from '../../domain/search/tuning.ts';
import type { Derive, DocumentStore, EmbedderIdentity, ExportedDocument } from '../../domain/store.ts';
import {
  hasSameVectors,
  isOfAnotherVersion,
  type OnMismatch,
  toFingerprintText,
  toMismatchError,
} from '../fingerprint.ts';
import { type IndexUpgrade, type IndexUpgradeOptions, startIndexUpgrade } from '../index-upgrade.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toStoredDocument } from '../sql/rows.ts';
import { createReader } from './reader.ts';
import { createRebuild, createUpgrade } from './rebuild.ts';
import { INDEXED, migrations } from './schema.ts';
import { createEmbedWaiting } from './waiting.ts';
import { createWriter } from './writer.ts';

/** Rows a step: other calls are answered between two. */
const STEP_ROWS = 100;

/** Builds the forgetting of an owner: the rows with all that is derived of them, and then every page and log that had them. */
function createForget({
  database,
  transactions,
}: Pick<IndexedDatabase, 'database' | 'transactions'>): DocumentStore['forget'] {
  const count = database.prepare<[string], number>('SELECT count(*) FROM documents WHERE owner = ?').pluck();
  const remove = database.prepare<[string]>(
    `DELETE FROM documents WHERE doc IN (SELECT doc FROM documents WHERE owner = ? LIMIT ${STEP_ROWS})`,
  );
  const toErased = (documents: number) => [{ what: 'documents', count: documents }];
  return async (owner, isDryRun) => {
    if (isDryRun) return { erased: toErased(withStorageErrors(() => count.get(owner) ?? 0)), unreached: [] };
    const removed = await transactions.runInSlices(function* () {
      const before = count.get(owner) ?? 0;
      while (remove.run(owner).changes > 0) yield;
      return before;
    });
    // Without rows too: an earlier call may have ended between the two.
    const unreached = await transactions.runBetween(() => eraseFile({ file: database.name }));
    return { erased: toErased(removed), unreached };
  };
}

interface VectorRow extends DocumentRow {
  readonly vector: Buffer | null;
}

const NEWEST = { sql: 'SELECT coalesce(max(doc), 0) AS doc FROM documents', params: [] };
const NEXT = `SELECT ${DOCUMENT_COLUMNS}, e.vector FROM documents d JOIN ${INDEXED.name}_entries e ON e.row = d.doc
  WHERE d.doc > ? AND d.doc <= ? ORDER BY d.doc LIMIT ?`;

/** Builds the function that gives every document with its vector, in the order of the rows' own keys. */
function createScan(reading: Reading, index: HybridIndex): DocumentStore['scan'] {
  return async function* scan(batch): AsyncGenerator<readonly ExportedDocument[]> {
    // Without an end, writes during the scan would keep it going.
    const [[newest]] = (await reading.read([NEWEST], 0)) as readonly [readonly [{ readonly doc: number }]];
    for (let after = 0; ; ) {
      index.check();
      const statement = { sql: NEXT, params: [after, newest.doc, batch] };
      const [rows] = (await reading.read([statement], 0)) as readonly [readonly VectorRow[]];
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({
        document: toStoredDocument(row),
        ...(row.vector && { vector: toVector(row.vector).slice() }),
      }));
      after = last.doc;
    }
  };
}

/** How a store is used. */
export interface SqliteStoreSettings {
  readonly embedder: EmbedderIdentity;
  readonly onMismatch?: OnMismatch;
  readonly indexVersion?: number;
  /** Makes the index again after an update of the program; without it an earlier one stays in use. */
  readonly derive?: Derive | undefined;
  /** Gets how that goes. */
  readonly log?: IndexUpgradeOptions['log'];
}

const silent = { info: () => undefined, warn: () => undefined };
/** How long the end of an upgrade is waited for when the store is closed, in milliseconds. */
const CLOSE_WAIT_MS = 2_000;

/**
 * Opens (or makes) the store in one SQLite file; other processes may have it open too.
 * @throws ContextloomError `unavailable` when the file cannot be used, or another embedder filled it
 */
export async function openSqliteStore(
  options: SqliteStoreSettings & Omit<OpenIndexedDatabaseOptions, 'migrations'>,
): Promise<DocumentStore> {
  const indexed = openIndexedDatabase({ ...options, migrations });
  try {
    return await createSqliteStore(indexed, options);
  } catch (error) {
    await indexed.close();
    throw error;
  }
}

/** Opens the index, and that of an earlier version with it where it may be used. */
async function openIndex(
  indexed: IndexedDatabase,
  { embedder, onMismatch = 'refuse', indexVersion = INDEX_VERSION }: SqliteStoreSettings,
): Promise<{ readonly index: HybridIndex; readonly earlier: { readonly hasSameVectors: boolean } | undefined }> {
  const { database } = indexed;
  const fingerprint = toFingerprintText({ embedder, indexVersion });
  const found = withStorageErrors(() => readFingerprint(database, INDEXED)) ?? fingerprint;
  const isEarlier = onMismatch === 'upgrade' && isOfAnotherVersion(found, fingerprint);
  const definition = { ...INDEXED, dimensions: embedder.dimensions, fingerprint };
  const index = createHybridIndex({
    definition: isEarlier ? { ...definition, earlier: [found] } : definition,
    indexed,
    toMismatchError: (other, own) => toMismatchError(database.name, other, own),
  });
  const isOwn = await index.claim();
  if (!isOwn && onMismatch !== 'rebuild') index.check();
  const earlier = isEarlier && !isOwn ? { hasSameVectors: hasSameVectors(found, fingerprint) } : undefined;
  return { index, earlier };
}

/** Builds the store over an open database that has its schema; closing the store closes the database. */
export async function createSqliteStore(
  indexed: IndexedDatabase,
  settings: SqliteStoreSettings,
): Promise<DocumentStore> {
  const { database, transactions, reading } = indexed;
  const { derive, log = silent } = settings;
  const { index, earlier } = await openIndex(indexed, settings);
  const erasing = createErasing(indexed);
  const reader = createReader(reading, index);
  let upgrade: IndexUpgrade | undefined;
  if (earlier !== undefined && derive !== undefined) {
    const run = createUpgrade(database, index, earlier);
    upgrade = startIndexUpgrade({ run: (options) => run(derive, options), log });
  }
  return {
    kind: 'embedded',
    check: async () => {
      await reading.read([{ sql: 'SELECT 1 FROM documents LIMIT 1', params: [] }], 0);
      index.check();
    },
    ...createWriter({ database, transactions, index, erasing }),
    ...reader,
    // Vectors of two embedders are never compared: until the index is rebuilt, words alone find documents then.
    ...(earlier?.hasSameVectors === false && {
      find: (query, ...rest) => reader.find(index.isOwn() ? query : { ...query, vector: undefined }, ...rest),
    }),
    scan: createScan(reading, index),
    rebuild: createRebuild(database, index),
    embedWaiting: createEmbedWaiting(indexed, index),
    forget: createForget(indexed),
    eraseRemoved: erasing.eraseNoted,
    indexState: async () => index.state(),
    upgradeProgress: () => upgrade?.progress(),
    flush: async () => void withStorageErrors(() => database.pragma('wal_checkpoint(PASSIVE)')),
    close: async () => {
      upgrade?.stop();
      if (upgrade !== undefined) await settled(upgrade.ended, CLOSE_WAIT_MS);
      await indexed.close();
    },
  };
}
