import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { SettingValues } from '@contextloom/runtime';
import { checkIntegrity, sizeOfDatabase, toFileUpkeep } from '@contextloom/sqlite';
import type { DocumentStore } from '../../domain/store.ts';
import type { OpenStoreOptions, StoreAside, StoreEngine } from '../engine.ts';
import { toOperatorError } from '../fingerprint.ts';
import { localSettings } from '../local-settings.ts';
import { createDamageWatch } from './damage-watch.ts';
import { migrations } from './schema.ts';
import { openSqliteStore } from './store.ts';
import { readStoredEmbedder } from './stored-embedder.ts';

/** The file of the documents, in KB_DATA_DIR. */
export const STORE_FILE = 'knowledge-base.sqlite';
/** What it is called after its documents were moved to Postgres. */
export const MOVED_FILE = 'knowledge-base.moved-to-postgres.sqlite';

/** Whether the documents were moved, and no others came. */
const isMoved = (dataDir: string): boolean =>
  !existsSync(join(dataDir, STORE_FILE)) && existsSync(join(dataDir, MOVED_FILE));

function toAside(dataDir: string): StoreAside {
  const file = join(dataDir, MOVED_FILE);
  return { file, open: (embedder) => openSqliteStore({ file, embedder, cacheBytes: 0, threads: 0 }) };
}

/** Documents that were moved are not missed in silence once DATABASE_URL is gone from the settings. */
function refuseMoved(dataDir: string): void {
  if (!isMoved(dataDir)) return;
  const message = `the documents of KB_DATA_DIR (${dataDir}) were moved to Postgres: set DATABASE_URL again, or run "${MIGRATE_BACK}" with it to bring them back; ${MOVED_FILE}, renamed to ${STORE_FILE}, has them as they were before the move`;
  throw new ContextloomError('unavailable', message);
}

const MIGRATE_BACK = 'contextloom migrate --from postgres --to sqlite';

const settings = localSettings;
type Place = SettingValues<typeof settings>;

async function open({ dataDir, cacheMb }: Place, options: OpenStoreOptions): Promise<DocumentStore> {
  const { embedder, onMismatch, derive, log, isCopied = false } = options;
  if (!isCopied) refuseMoved(dataDir);
  const file = join(dataDir, STORE_FILE);
  try {
    const cacheBytes = cacheMb * 2 ** 20;
    const store = await openSqliteStore({
      file,
      embedder,
      cacheBytes,
      derive,
      log,
      ...(onMismatch && { onMismatch }),
    });
    return createDamageWatch({ store, checkFile: () => checkIntegrity(file) });
  } catch (thrown) {
    const error = toOperatorError(thrown);
    if (!isContextloomError(error)) throw error;
    throw new ContextloomError(error.code, `${error.message} (KB_DATA_DIR is ${dataDir})`, { cause: error });
  }
}

/** Documents in a SQLite file, which is made when missing: the engine when the settings name no other. */
export const sqliteEngine: StoreEngine<typeof settings> = {
  name: 'embedded',
  settings,
  isChosen: () => true,
  describe: ({ dataDir }) => dataDir,
  upkeep: ({ dataDir }) => toFileUpkeep({ store: 'documents', where: join(dataDir, STORE_FILE), migrations }),
  sizeOf: ({ dataDir }) => sizeOfDatabase(join(dataDir, STORE_FILE)),
  open,
  setAside: ({ dataDir }) => {
    renameSync(join(dataDir, STORE_FILE), join(dataDir, MOVED_FILE));
    return toAside(dataDir);
  },
  findAside: ({ dataDir }) => (isMoved(dataDir) ? toAside(dataDir) : undefined),
  readEmbedder: async ({ dataDir }) => readStoredEmbedder(join(dataDir, STORE_FILE)),
};
