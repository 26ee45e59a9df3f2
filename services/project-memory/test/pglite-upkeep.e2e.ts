import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openEmbedded, type TestDatabase } from './support/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openEmbedded();
});
afterAll(() => opened.close());

interface Table {
  readonly dead: number;
  /** As many as the planner knows of; -1 without statistics. */
  readonly rows: number;
}

async function inspect(name: string): Promise<Table | undefined> {
  await opened.database.run('select pg_stat_force_next_flush()');
  const [table] = await opened.database.query<Table>(
    `select s.n_dead_tup::int as dead, c.reltuples::int as rows
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = $1`,
    [name],
  );
  return table;
}

const commit = async (times: number, text: string): Promise<void> => {
  for (let at = 0; at < times; at += 1) await opened.database.transaction((sql) => sql.query(text));
};

it('tells the planner how many rows there are, and frees what replaced rows take', async () => {
  await opened.database.run('create table "Ships" (name text); create table empty (name text);');
  await commit(99, `insert into "Ships" values ('Ida')`);
  expect(await inspect('Ships')).toEqual({ dead: 0, rows: -1 });
  await commit(1, `insert into "Ships" values ('Ada')`);
  expect(await inspect('Ships')).toEqual({ dead: 0, rows: 100 });
  expect(await inspect('empty')).toEqual({ dead: 0, rows: -1 });
  const update = `update "Ships" set name = 'Eva' || name;`;
  await opened.database.run(update + update);
  expect((await inspect('Ships'))?.dead).toBeGreaterThan(100);
  await commit(100, 'select 1');
  expect(await inspect('Ships')).toEqual({ dead: 0, rows: 100 });
});
