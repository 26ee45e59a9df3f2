import { existsSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { type MigrationOptions, migrate } from '../../domain/indexing/migration.ts';
import type { DocumentStore, EmbedderIdentity } from '../../domain/store.ts';
import type { OpenStoreOptions } from '../engine.ts';
import { MOVED_FILE, STORE_FILE } from '../sqlite/engine.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import { readStoredEmbedder } from '../sqlite/stored-embedder.ts';
import type { DocumentDatabase } from './database.ts';
import { SCHEMA } from './schema.ts';
import { readState, writeState } from './state.ts';

/** What documents are moved into. */
export interface TakeoverOptions extends Pick<OpenStoreOptions, 'embedder' | 'log'> {
  readonly dataDir: string;
  readonly database: DocumentDatabase;
  readonly store: DocumentStore;
}

const COMMAND = 'contextloom migrate --from sqlite --to postgres';

/** Which vectors of a file go along; the lexical ones are made again for nothing, and any others cost money. */
function toVectors(found: EmbedderIdentity, own: EmbedderIdentity, file: string): MigrationOptions['vectors'] {
  const isSame = JSON.stringify(found) === JSON.stringify(own);
  if (isSame) return 'present';
  if (found.provider === 'lexical') return 'none';
  const message = `DATABASE_URL is set, and the documents of ${file} have the vectors of the embedder ${found.provider} ${found.model}: configure that one until they are in Postgres, or set KB_STORE=embedded and make them again first`;
  throw new ContextloomError('unavailable', message);
}

/** Copies the documents of a file, each read back and compared; what is newer in Postgres stays. */
async function copy(file: string, { store, embedder }: TakeoverOptions): Promise<number> {
  const found = readStoredEmbedder(file);
  if (found === undefined) return 0;
  const vectors = toVectors(found, embedder, file);
  const source = await openSqliteStore({ file, embedder: found, cacheBytes: 0, threads: 0, onMismatch: 'upgrade' });
  try {
    const signal = new AbortController().signal;
    const report = await migrate({
      source,
      target: store,
      vectors,
      keepsNewer: true,
      signal,
      onProgress: () => undefined,
    });
    return report.documents;
  } finally {
    await source.close();
  }
}

/** Moves the file aside once all is copied, and copies what was written between: whoever has it open notices that it is gone. */
async function move(options: TakeoverOptions): Promise<number> {
  const [file, moved] = [join(options.dataDir, STORE_FILE), join(options.dataDir, MOVED_FILE)];
  const { write } = options.database;
  await write((sql) => writeState(sql, 'takeover', toPlace(options)));
  if (existsSync(file)) {
    await copy(file, options);
    renameSync(file, moved);
  }
  const documents = await copy(moved, options);
  await write((sql) => writeState(sql, 'takeover', undefined));
  return documents;
}

const toPlace = ({ dataDir }: TakeoverOptions): string => `${dataDir} on ${hostname()}`;

async function readPostgres({ database }: TakeoverOptions) {
  return database.read({ kind: 'everyone' }, async (sql) => {
    const [filled] = await sql.query('SELECT 1 FROM documents LIMIT 1');
    return { isEmpty: filled === undefined, place: await readState(sql, 'takeover') };
  });
}

/** Whether the file has documents that are not in Postgres yet, as far as that is known. */
async function isToMove(options: TakeoverOptions): Promise<boolean> {
  const { dataDir } = options;
  const file = join(dataDir, STORE_FILE);
  const { isEmpty, place } = await readPostgres(options);
  if (place === toPlace(options)) return true;
  if (place !== undefined) {
    const message = `the documents of ${place} are being moved to the database of DATABASE_URL: try again when that is done, or start the server there again if it was ended; where it is gone for good, deleting the row "takeover" of ${SCHEMA}.state does without the rest`;
    throw new ContextloomError('unavailable', message);
  }
  if (readStoredEmbedder(file) === undefined) return false;
  if (isEmpty) return true;
  const message = `KB_DATA_DIR (${dataDir}) has documents in ${STORE_FILE}, and the database of DATABASE_URL has others: run "${COMMAND}" to add them, set KB_STORE=embedded to go on with the file, or move it away`;
  throw new ContextloomError('unavailable', message);
}

/**
 * Takes over the documents of the file in KB_DATA_DIR when a Postgres store without any is opened; goes on where it was cut off.
 * @throws ContextloomError `unavailable` where both have documents: neither is hidden by the other
 */
export async function takeOver(options: TakeoverOptions): Promise<void> {
  const { log } = options;
  if (!(await isToMove(options))) return;
  await options.database.alone(
    'takeover',
    async () => {
      // Another process may have moved them while this one waited.
      if (await isToMove(options)) await logged(log, () => move(options));
    },
    true,
  );
}

async function logged(log: Log, work: () => Promise<number>): Promise<void> {
  log.info({}, 'moving the documents of KB_DATA_DIR to the database of DATABASE_URL');
  const documents = await work();
  log.info({ documents, file: MOVED_FILE }, 'the documents are in Postgres; the file is kept under another name');
}
