import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterAll, beforeAll, describe } from '@jest/globals';
import pg from 'pg';
import type { DocumentStore } from '../../src/domain/store.ts';
import { openDocumentDatabase } from '../../src/store/postgres/database.ts';
import { createPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts';
import { embedder, type TemporaryStore } from './stores.ts';

// .ci/run installs it; elsewhere than there a machine may have none.
const bin = await findPostgres('plain');

/** Describes something over a Postgres server of its own, where this machine has one. */
export function describeWithPostgres(name: string, suite: (server: () => PostgresServer) => void): void {
  (bin === undefined ? describe.skip : describe)(name, () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await createPostgresServer(bin ?? '');
      await server.start();
    }, 180_000);
    afterAll(() => server?.remove(), 60_000);
    suite(() => {
      if (server === undefined) throw new Error('the server is not there yet');
      return server;
    });
  });
}

/** Runs statements as the superuser of a server, or of one of its databases. */
export async function runSql<Row extends object>(url: string, ...texts: readonly string[]): Promise<readonly Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: readonly Row[] = [];
    for (const text of texts) rows = (await client.query(text)).rows as readonly Row[];
    return rows;
  } finally {
    await client.end();
  }
}

/** Makes a database of its own; answers its address, of the superuser unless another one is named. */
export async function createDatabase(server: Pick<PostgresServer, 'url'>, user?: string): Promise<string> {
  const name = `kb_${randomUUID().replaceAll('-', '')}`;
  await runSql(server.url, `CREATE DATABASE ${name}${user === undefined ? '' : ` OWNER ${user}`}`);
  const url = new URL(server.url);
  url.pathname = name;
  if (user !== undefined) url.username = user;
  return url.href;
}

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
