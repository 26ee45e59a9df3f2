import { existsSync } from 'node:fs';
import type { Unreached } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { MemoryStore } from '../../domain/store.ts';
import { openPostgresDatabase } from './database.ts';
import { createPostgresStore, type PostgresStoreOptions } from './store.ts';
import { type FormerFiles, takeOver } from './takeover.ts';

/** How the memories of a Postgres database are opened. */
export interface OpenPostgresStoreOptions extends Omit<PostgresStoreOptions, 'database' | 'cacheBytes'> {
  readonly url: string;
  /** The files whose memories are taken over where the database has none. */
  readonly files: FormerFiles;
  readonly log: Log;
}

/** The entries of some 25,000 texts, of events and of attributes each. */
const CACHE_BYTES = 64 * 2 ** 20;

/** What was kept has the memories as they were: a receipt names it. */
function withKept(forget: MemoryStore['forget'], { moved, backupFolder }: FormerFiles): MemoryStore['forget'] {
  const why = 'it has the memories as they were before they were moved to Postgres: delete it once it is not needed';
  return async (userId, isDryRun) => {
    const { erased, unreached } = await forget(userId, isDryRun);
    const kept: readonly Unreached[] = existsSync(moved)
      ? [moved, backupFolder].filter((one) => existsSync(one)).map((what) => ({ what, why }))
      : [];
    return { erased, unreached: isDryRun ? unreached : [...unreached, ...kept] };
  };
}

/**
 * Opens the memories of a Postgres database, and takes over those of the files at the first start.
 * @throws ContextloomError `unavailable` for a database that cannot be used, or where both have memories
 */
export async function openPostgresStore(options: OpenPostgresStoreOptions): Promise<MemoryStore> {
  const { url, files, log, ...how } = options;
  const database = await openPostgresDatabase({ url, log });
  try {
    if (database.isOpen) {
      log.warn({}, 'the user of DATABASE_URL is above row-level security, and no role below it could be made');
    }
    await takeOver({ database, files, fingerprint: how.fingerprint, log });
  } catch (error) {
    await database.close();
    throw error;
  }
  const store = createPostgresStore({ ...how, database, cacheBytes: CACHE_BYTES });
  return { ...store, forget: withKept(store.forget, files) };
}
