import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPgDatabase, type PostgresDatabase } from '../src/store/postgres/pg-database.ts';

/** Nothing here needs vectors, so that any Postgres of the machine will do. */
const bin = await findPostgres();

let server: PostgresServer;
let database: PostgresDatabase;

(bin === undefined ? describe.skip : describe)('connections to a Postgres server', () => {
  beforeEach(async () => {
    server = await createPostgresServer(bin ?? '');
    await server.start();
    database = openPgDatabase({ url: server.url, connections: 2, onLost: () => undefined });
    await database.run('create table notes (words text)');
  }, 120_000);
  afterEach(async () => {
    await database.close();
    await server.remove();
  });

  const add = (words: string) => database.transaction((sql) => sql.query('insert into notes values ($1)', [words]));

  it('take changes again as soon as the server does', async () => {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const setReadOnly = (value: 'on' | 'off') =>
      admin.query(
        `set default_transaction_read_only = off; alter database postgres set default_transaction_read_only = ${value}`,
      );
    await setReadOnly('on');
    await database.close();
    database = openPgDatabase({ url: server.url, connections: 2, onLost: () => undefined });
    const refused = { code: 'unavailable', message: expect.stringContaining('read-only') };
    await Promise.all([1, 2].map(() => expect(add('refused')).rejects.toMatchObject(refused)));
    await setReadOnly('off');
    await add('stored');
    expect(await database.query('select words from notes')).toEqual([{ words: 'stored' }]);
    await admin.end();
  }, 60_000);

  it('say that all are in use, not that the server is away', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy = [1, 2].map(() => database.transaction(() => gate));
    await expect(database.query('select 1')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('all 2 connections'),
    });
    release();
    await Promise.all(busy);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  }, 60_000);

  it('end a reading that takes too long, and let changes and upkeep take their time', async () => {
    const setting = "select current_setting('statement_timeout') as limit";
    expect(await database.query(setting)).toEqual([{ limit: '1min' }]);
    expect(await database.transaction((sql) => sql.query(setting))).toEqual([{ limit: '0' }]);
    await database.run('analyze notes');
    expect(await database.query(setting)).toEqual([{ limit: '1min' }]);
    const slow = database.transaction(async (sql) => {
      await sql.query("set local statement_timeout = '50ms'");
      return sql.query('select pg_sleep(60)');
    });
    await expect(slow).rejects.toMatchObject({ code: 'timeout' });
  }, 60_000);
});
