import { findBytes } from '@contextloom/testing/find-bytes';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tables } from '../src/store/forget-owner.ts';
import { createPostgresEngine } from '../src/store/postgres/engine.ts';
import { openPgDatabase, type PostgresDatabase } from '../src/store/postgres/pg-database.ts';

/** Nothing here needs vectors, so that any Postgres of the machine will do. */
const bin = await findPostgres();
const SECRETS = ['ann-7f3a91', 'Zanzibar', '桑给巴尔的老茶馆'];

let server: PostgresServer;
let database: PostgresDatabase;

async function open(settings: readonly string[]): Promise<void> {
  server = await createPostgresServer(bin ?? '', settings);
  await server.start();
  database = openPgDatabase({ url: server.url, onLost: () => undefined });
  for (const table of tables) {
    await database.run(`create table ${table} (owner_id text not null, content text not null)`);
    await database.run(`create index on ${table} (owner_id, content)`);
  }
  await write('ann-7f3a91', 'Zanzibar, 桑给巴尔的老茶馆');
  await write('bob', 'Bergen');
  // Samples of texts get into the statistics, and old segments are renamed for use again.
  for (const statement of ['analyze', 'checkpoint', 'select pg_switch_wal()', 'checkpoint'])
    await database.run(statement);
}

const write = async (owner: string, place: string): Promise<void> => {
  for (const table of tables)
    await database.query(`insert into ${table} select $1, $2 || at from generate_series(1, 500) at`, [owner, place]);
};

const filesWithSecrets = (): readonly string[] =>
  findBytes(server.data, SECRETS).map(({ file }) => file.slice(server.data.length + 1));

const erase = () => createPostgresEngine(database).forget('ann-7f3a91', false);
const KEPT_LOG = ['the write-ahead log of the Postgres server'];

(bin === undefined ? describe.skip : describe)('the rows of an owner on a Postgres server', () => {
  afterEach(async () => {
    await database.close();
    await server.remove();
  });

  describe('that deletes old segments of its log', () => {
    beforeEach(() => open(['wal_recycle=off']), 60_000);

    it('leave no byte in any file', async () => {
      expect(filesWithSecrets()).not.toEqual([]);
      const { erased, unreached } = await erase();
      expect({ erased: erased.map(({ count }) => count), unreached }).toEqual({
        erased: tables.map(() => 500),
        unreached: [],
      });
      expect(filesWithSecrets()).toEqual([]);
      expect(await database.query('select count(*)::int as left from memories')).toEqual([{ left: 500 }]);
    }, 60_000);

    it('wait for a transaction that still sees them', async () => {
      let close = (): void => undefined;
      const open = new Promise<void>((done) => {
        close = done;
      });
      const reading = database.transaction(async (sql) => {
        await sql.query('set transaction isolation level repeatable read');
        await sql.query('select count(*) from memories');
        await open;
        return sql.query('select count(*)::int as seen from memories');
      });
      const erasing = erase();
      const gone = 'select 1 where not exists (select 1 from memories where owner_id = $1)';
      while ((await database.query(gone, ['ann-7f3a91'])).length === 0);
      close();
      expect(await reading).toEqual([{ seen: 1_000 }]);
      expect((await erasing).unreached).toEqual([]);
      expect(filesWithSecrets()).toEqual([]);
    }, 60_000);
  });

  describe('that keeps its log', () => {
    beforeEach(() => open([]), 60_000);

    it('leave bytes in the log alone, and the receipt says so', async () => {
      expect((await erase()).unreached.map(({ what }) => what)).toEqual(KEPT_LOG);
      expect(filesWithSecrets().filter((file) => !file.startsWith('pg_wal'))).toEqual([]);
    }, 60_000);

    it('leave samples where the role does not own the database, and the receipt says so', async () => {
      await database.run('create role app login; grant all on schema public to app');
      for (const table of tables) await database.run(`alter table ${table} owner to app`);
      const app = openPgDatabase({ url: server.url.replace('postgres@', 'app@'), onLost: () => undefined });
      const { erased, unreached } = await createPostgresEngine(app).forget('ann-7f3a91', false);
      await app.close();
      expect(erased[0]).toEqual({ what: 'memories', count: 500 });
      expect(unreached.map(({ what }) => what)).toEqual(["samples of texts in the planner's statistics", ...KEPT_LOG]);
    }, 60_000);
  });
});
