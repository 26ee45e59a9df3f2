import { silentLog } from '@contextloom/runtime';
import { createDatabase } from '@contextloom/testing/postgres-databases';
import type { PostgresServer } from '@contextloom/testing/postgres-server';
import type { DocumentStore } from '../../src/domain/store.ts';
import { openDocumentDatabase } from '../../src/store/postgres/database.ts';
import { createPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts';
import { embedder, type TemporaryStore } from './stores.ts';

export { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';

/** Opens the store of a database as a process of its own would. */
export async function openPostgresStoreAt(
  url: string,
  how: Partial<PostgresStoreOptions> = {},
): Promise<DocumentStore> {
  const database = await openDocumentDatabase({ url, log: silentLog });
  const options = { database, name: 'the database', embedder: embedder.identity, cacheBytes: 2 ** 24, ...how };
  return createPostgresStore(options).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
}

/** Opens an empty store in a database of its own. */
export async function openTemporaryPostgresStore(
  server: Pick<PostgresServer, 'url'>,
  how: Partial<PostgresStoreOptions> = {},
): Promise<TemporaryStore> {
  const store = await openPostgresStoreAt(await createDatabase(server), how);
  return { store, remove: () => store.close() };
}
