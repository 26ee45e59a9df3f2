import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrlSchema, EXACT_COMPARISON, toDatabaseName, toSchemaUpkeep } from '@contextloom/postgres';
import { type SettingValues, setting, silentLog } from '@contextloom/runtime';
import type { DocumentStore } from '../../domain/store.ts';
import type { OpenStoreOptions, StoreEngine } from '../engine.ts';
import { toEmbedder } from '../fingerprint.ts';
import { localSettings } from '../local-settings.ts';
import { MOVED_FILE } from '../sqlite/engine.ts';
import { openDocumentDatabase } from './database.ts';
import { documentSchema, FIRST } from './schema.ts';
import { createPostgresStore } from './store.ts';
import { takeOver } from './takeover.ts';

const settings = {
  ...localSettings,
  databaseUrl: setting({
    env: ['DATABASE_URL'],
    schema: databaseUrlSchema,
    secret: true,
    description: 'A Postgres database (15 or newer) that keeps the documents, instead of the file in KB_DATA_DIR',
  }),
};
type Place = SettingValues<typeof settings>;

const describe = ({ databaseUrl = '' }: Place): string => toDatabaseName(databaseUrl);

/** The file that was kept has its documents as they were: a receipt names it. */
function withMovedFile(forget: DocumentStore['forget'], file: string): DocumentStore['forget'] {
  const why = 'it has the documents as they were before they were moved to Postgres: delete it once it is not needed';
  return async (owner, isDryRun) => {
    const { erased, unreached } = await forget(owner, isDryRun);
    return { erased, unreached: isDryRun || !existsSync(file) ? unreached : [...unreached, { what: file, why }] };
  };
}

async function open(place: Place, options: OpenStoreOptions): Promise<DocumentStore> {
  const { databaseUrl: url = '', dataDir, cacheMb } = place;
  const { embedder, log, isCopied = false, ...how } = options;
  const database = await openDocumentDatabase({ url, log });
  try {
    if (database.isOpen) {
      log.warn({}, 'the user of DATABASE_URL is above row-level security, and no role below it could be made');
    }
    const cacheBytes = cacheMb * 2 ** 20;
    const store = await createPostgresStore({ ...how, database, name: describe(place), embedder, cacheBytes, log });
    if (!isCopied) await takeOver({ dataDir, database, store, embedder, log });
    return { ...store, forget: withMovedFile(store.forget, join(dataDir, MOVED_FILE)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Documents in a Postgres database, in a schema of their own. */
export const postgresEngine: StoreEngine<typeof settings> = {
  name: 'postgres',
  settings,
  needs: 'DATABASE_URL must be the address of a Postgres database',
  isChosen: ({ databaseUrl }) => databaseUrl !== undefined,
  describe,
  comparison: EXACT_COMPARISON,
  upkeep: ({ databaseUrl: url = '' }) =>
    toSchemaUpkeep({ store: 'documents', url, schema: documentSchema, first: FIRST }),
  open,
  readEmbedder: async ({ databaseUrl: url = '' }) => {
    const database = await openDocumentDatabase({ url, log: silentLog });
    try {
      return await database.read({ kind: 'everyone' }, async ({ fingerprint, query }) => {
        const [filled] = await query('SELECT 1 FROM documents LIMIT 1');
        return filled === undefined || fingerprint === '' ? undefined : toEmbedder(fingerprint);
      });
    } finally {
      await database.close();
    }
  },
};
