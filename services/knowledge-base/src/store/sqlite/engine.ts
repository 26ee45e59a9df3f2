import { isAbsolute, join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type SettingValues, setting, userFolders } from '@contextloom/runtime';
import { checkIntegrity, sizeOfDatabase } from '@contextloom/sqlite';
import { z } from 'zod';
import type { DocumentStore } from '../../domain/store.ts';
import type { OpenStoreOptions, StoreEngine } from '../engine.ts';
import { toOperatorError } from '../fingerprint.ts';
import { createDamageWatch } from './damage-watch.ts';
import { openSqliteStore } from './store.ts';
import { readStoredEmbedder } from './stored-embedder.ts';

const DEFAULT_FOLDER = join(userFolders.data, 'knowledge-base');
const CACHE = 'must be a whole number of mebibytes from 0 to 65536';
const STORE_FILE = 'knowledge-base.sqlite';

const settings = {
  dataDir: setting({
    env: ['KB_DATA_DIR'],
    // Clients start servers in folders of their choice: a relative path would mean another store for each client.
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the store, an absolute path',
  }),
  cacheMb: setting({
    env: ['KB_CACHE_MB'],
    schema: z.coerce.number(CACHE).int(CACHE).min(0, CACHE).max(65_536, CACHE),
    default: 256,
    description: 'Most mebibytes of its index that the store in KB_DATA_DIR keeps in memory, all threads together',
  }),
};
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
