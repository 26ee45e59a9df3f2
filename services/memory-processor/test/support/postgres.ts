import { randomUUID } from 'node:crypto';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterAll, beforeAll, describe } from '@jest/globals';
import pg from 'pg';

// .ci/run installs it; elsewhere than there a machine may have none.
const bin = await findPostgres('plain');

/** Describes what needs a Postgres server, which tests may kill and start; skipped where there is none. */
export function describeWithPostgres(name: string, tests: (server: () => PostgresServer) => void): void {
  const whereThere = bin === undefined ? describe.skip : describe;
  whereThere(name, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await createPostgresServer(bin ?? '');
      await server.start();
    }, 180_000);
    afterAll(() => server.remove(), 60_000);
    tests(() => server);
  });
}

/** Makes a database of its own in a server; answers its address. */
export async function createDatabase({ url }: PostgresServer): Promise<string> {
  const name = `processor_${randomUUID().replaceAll('-', '')}`;
  await runSql(url, `CREATE DATABASE ${name}`);
  return url.replace(/\/postgres$/, `/${name}`);
}

/** Runs a statement over a connection of its own. */
export async function runSql(url: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}
