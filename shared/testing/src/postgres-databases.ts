import { randomUUID } from 'node:crypto';
import { openPool } from '@contextloom/postgres';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createPostgresServer, findPostgres, type PostgresServer } from './postgres-server.ts';

// .ci/run installs it; elsewhere than there a machine may have none.
const bin = await findPostgres();

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
  const pool = await openPool({ url, application: 'test', log: silentLog, connections: 1 });
  try {
    const client = await pool.connect();
    try {
      let rows: readonly Row[] = [];
      for (const text of texts) rows = (await client.query(text)).rows as readonly Row[];
      return rows;
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
}

/** Makes a database of its own; answers its address, of the superuser unless another one is named. */
export async function createDatabase(server: Pick<PostgresServer, 'url'>, user?: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runSql(server.url, `CREATE DATABASE ${name}${user === undefined ? '' : ` OWNER ${user}`}`);
  const url = new URL(server.url);
  url.pathname = name;
  if (user !== undefined) url.username = user;
  return url.href;
}
