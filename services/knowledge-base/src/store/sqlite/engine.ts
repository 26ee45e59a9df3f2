import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { SettingValues } from '@contextloom/runtime';
import { checkIntegrity, sizeOfDatabase } from '@contextloom/sqlite';
import type { DocumentStore } from '../../domain/store.ts';
import type { OpenStoreOptions, StoreEngine } from '../engine.ts';
import { toOperatorError } from '../fingerprint.ts';
import { localSettings } from '../local-settings.ts';
import { createDamageWatch } from './damage-watch.ts';
import { openSqliteStore } from './store.ts';
import { readStoredEmbedder } from './stored-embedder.ts';

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
