import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { SettingValues } from '@contextloom/runtime';
import { checkIntegrity, openDatabase, sizeOfDatabase, withStorageErrors } from '@contextloom/sqlite';
import type { DocumentStore, EmbedderIdentity } from '../../domain/store.ts';
import type { OpenStoreOptions, StoreEngine } from '../engine.ts';
import { toEmbedder, toOperatorError } from '../fingerprint.ts';
import { localSettings } from '../local-settings.ts';
import { createDamageWatch } from './damage-watch.ts';
import { INDEXED, migrations } from './schema.ts';
import { openSqliteStore } from './store.ts';

/**
 * Which embedder filled the store of a file; undefined for a store that is missing or empty.
 * @throws ContextloomError `unavailable` when the file cannot be used
 */
function readStoredEmbedder(file: string): EmbedderIdentity | undefined {
  if (!existsSync(file)) return undefined;
  const database = openDatabase({ file, migrations });
  try {
    const sql = `SELECT value FROM ${INDEXED.name}_state WHERE name = 'fingerprint' AND EXISTS (SELECT 1 FROM documents)`;
    const fingerprint = withStorageErrors(() => database.prepare<[], string>(sql).pluck().get());
    return fingerprint === undefined ? undefined : toEmbedder(fingerprint);
  } finally {
    database.close();
  }
}

const STORE_FILE = 'knowledge-base.sqlite';

const settings = localSettings;
type Place = SettingValues<typeof settings>;

async function open({ dataDir, cacheMb }: Place, options: OpenStoreOptions): Promise<DocumentStore> {
  const { embedder, onMismatch, derive, log } = options;
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
  isAskedFor: () => true,
  describe: ({ dataDir }) => dataDir,
  sizeOf: ({ dataDir }) => sizeOfDatabase(join(dataDir, STORE_FILE)),
  open,
  readEmbedder: async ({ dataDir }) => readStoredEmbedder(join(dataDir, STORE_FILE)),
};
