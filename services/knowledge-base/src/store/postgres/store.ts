import { eraseDeadRows, toPostgresText } from '@contextloom/postgres';
import { settled } from '@contextloom/runtime/scheduling';
import { toVector } from '@contextloom/sqlite';
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
import { DOCUMENT_COLUMNS, toStoredDocument } from '../sql/rows.ts';
import type { DocumentDatabase } from './database.ts';
import { createReader } from './reader.ts';
import { rebuild, upgrade } from './rebuild.ts';
import { INDEX_COLUMNS, type IndexedRow, toGivenDocument } from './rows.ts';
import { SCHEMA } from './schema.ts';
import { claimIndex, readIndexState } from './state.ts';
import { createEmbedWaiting } from './waiting.ts';
import { createWriter } from './writer.ts';

const tables = [`${SCHEMA}.documents`, `${SCHEMA}.next`];

/** Builds the forgetting of an owner: the rows with all that is derived of them, and then the files of the tables. */
function createForget(database: DocumentDatabase): DocumentStore['forget'] {
  return async (owner, isDryRun) => {
    const params = [toPostgresText(owner)];
    if (isDryRun) {
      const [counted] = await database.read({ kind: 'owners', owners: [owner] }, ({ query }) =>
        query<{ count: number }>('SELECT count(*) AS count FROM documents WHERE owner = ?', params),
      );
      return { erased: [{ what: 'documents', count: counted?.count ?? 0 }], unreached: [] };
    }
    const { count, transaction } = await database.write(async ({ query }) => {
      const removed = await query('DELETE FROM documents WHERE owner = ? RETURNING doc', params);
      const [current] = await query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      return { count: removed.length, transaction: current?.id ?? '' };
    });
    // Without rows too: an earlier call may have ended between the two.
    return {
      erased: [{ what: 'documents', count }],
      unreached: await eraseDeadRows(database.run, { tables, transaction }),
    };
  };
}

/** How a store is used. */
export interface PostgresStoreOptions {
  readonly database: DocumentDatabase;
  /** The database as errors name it. */
  readonly name: string;
  readonly embedder: EmbedderIdentity;
  readonly cacheBytes: number;
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

/** Builds the function that gives every document with its vector, in the order of the rows' own keys. */
function createScan({ read }: DocumentDatabase): DocumentStore['scan'] {
  return async function* scan(batch): AsyncGenerator<readonly ExportedDocument[]> {
    const everyone = { kind: 'everyone' } as const;
    // Without an end, writes during the scan would keep it going.
    const [newest] = await read(everyone, ({ query }) =>
      query<{ doc: number }>('SELECT coalesce(max(doc), 0) AS doc FROM documents'),
    );
    for (let after = 0; ; ) {
      const params = [after, newest?.doc ?? 0, batch];
      const rows = await read(everyone, ({ query }) =>
        query<IndexedRow>(
          `SELECT ${DOCUMENT_COLUMNS}, ${INDEX_COLUMNS} FROM documents d WHERE d.doc > ? AND d.doc <= ? ORDER BY d.doc LIMIT ?`,
          params,
        ),
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({
        document: toStoredDocument(toGivenDocument(row)),
        ...(row.vector && { vector: toVector(row.vector).slice() }),
      }));
      after = last.doc;
    }
  };
}

/**
 * Builds the store over an open database; closing the store closes the database.
 * @throws ContextloomError `unavailable` when another embedder filled it
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<DocumentStore> {
  const { database, name, embedder, cacheBytes, derive, log = silent } = options;
  const { onMismatch = 'refuse', indexVersion = INDEX_VERSION } = options;
  const { dimensions } = embedder;
  const own = toFingerprintText({ embedder, indexVersion });
  const found = await database.write((sql) => claimIndex(sql, own), 'SHARE ROW EXCLUSIVE');
  const isEarlier = onMismatch === 'upgrade' && isOfAnotherVersion(found, own);
  const toRefusal = (fingerprint: string) =>
    fingerprint === own || (isEarlier && fingerprint === found) ? undefined : toMismatchError(name, fingerprint, own);
  const refusal = toRefusal(found);
  if (refusal !== undefined && onMismatch !== 'rebuild') throw refusal;
  const parts = { database, dimensions, own };
  const reader = createReader({ database, dimensions, cacheBytes, toRefusal });
  const keepsVectors = isEarlier && hasSameVectors(found, own);
  let running: IndexUpgrade | undefined;
  if (isEarlier && derive !== undefined) {
    running = startIndexUpgrade({ run: (how) => upgrade(parts, derive, { ...how, keepsVectors }), log });
  }
  const isOwn = () => database.read({ kind: 'owners', owners: [] }, async ({ fingerprint }) => fingerprint === own);
  return {
    kind: 'postgres',
    check: () =>
      database.read({ kind: 'owners', owners: [] }, async ({ fingerprint }) => {
        const mismatch = toRefusal(fingerprint);
        if (mismatch !== undefined) throw mismatch;
      }),
    ...createWriter({ database, dimensions, toRefusal }),
    ...reader,
    // Vectors of two embedders are never compared: until the index is rebuilt, words alone find documents then.
    ...(isEarlier &&
      !keepsVectors && {
        find: async (query, ...rest) => reader.find((await isOwn()) ? query : { ...query, vector: undefined }, ...rest),
      }),
    scan: createScan(database),
    rebuild: (make, how = {}) => rebuild(parts, make, how),
    embedWaiting: createEmbedWaiting(database, dimensions, own),
    forget: createForget(database),
    indexState: () => database.read({ kind: 'everyone' }, (sql) => readIndexState(sql, own)),
    upgradeProgress: () => running?.progress(),
    flush: async () => undefined,
    close: async () => {
      running?.stop();
      if (running !== undefined) await settled(running.ended, CLOSE_WAIT_MS);
      await database.close();
    },
  };
}
