import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlDatabase } from '../src/store/database.ts';
import { HolderLost, reachDatabase } from '../src/store/pglite/sharing/reach-database.ts';
import { type ServedDatabase, serveDatabase } from '../src/store/pglite/sharing/serve-database.ts';
import { createServedTransactions } from '../src/store/pglite/sharing/serve-transactions.ts';
import { shareDatabase } from '../src/store/pglite/sharing/shared-database.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';

let folder: string;
let opened: TestDatabase;
let served: ServedDatabase;
let client: SqlDatabase;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sharing-'));
  opened = await openEmbedded();
  await opened.database.run('create table ships (name text)');
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await opened.database.run('truncate ships');
  served = await serveDatabase(Promise.resolve(opened.database), at('sock'));
  client = await reachDatabase(at('sock'));
});
afterEach(async () => {
  await client.close();
  await served.close();
});

const insert = 'insert into ships (name) values ($1)';
const names = async (): Promise<unknown> => opened.database.query('select name from ships order by name');

describe('a database that another process holds', () => {
  it('takes statements and transactions, of texts of megabytes too', async () => {
    const long = '潮汐'.repeat(500_000);
    await client.transaction((sql) => sql.query(insert, [long]));
    expect(await client.query('select name from ships')).toEqual([{ name: long }]);
    await client.run('delete from ships; select 1');
    expect(await names()).toEqual([]);
  });

  it('gives rows the types that they have without it', async () => {
    const text = `select 1 as int, 1.5::float8 as float, true as yes, null as none, '{"a":[1]}'::jsonb as json, array['x'] as list`;
    expect(await client.query(text)).toEqual(await opened.database.query(text));
  });

  it('rolls back what work throws in, and tells errors by their code', async () => {
    const work = client.transaction(async (sql) => {
      await sql.query(insert, ['Ida']);
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    await expect(client.query('select nonsense')).rejects.toMatchObject({ code: 'internal', cause: /nonsense/ });
    expect(await names()).toEqual([]);
  });

  it('rolls back what a client that is gone left open, and serves the others', async () => {
    const gone = await reachDatabase(at('sock'));
    const work = gone.transaction(async (sql) => {
      await sql.query(insert, ['Ida']);
      await gone.close();
      await sql.query(insert, ['Eva']);
    });
    await expect(work).rejects.toBeInstanceOf(HolderLost);
    await client.transaction((sql) => sql.query(insert, ['Ada']));
    expect(await names()).toEqual([{ name: 'Ada' }]);
  });

  it('rolls back a transaction that stands still', async () => {
    const transactions = createServedTransactions(opened.database, 10);
    const id = await transactions.begin();
    // Waits for the other to end, since there is one connection.
    await opened.database.transaction((sql) => sql.query(insert, ['Ada']));
    await expect(transactions.end({ transaction: id, outcome: 'commit' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await names()).toEqual([{ name: 'Ada' }]);
  });

  it('is lost when its holder ends, also in the middle of a transaction', async () => {
    const work = client.transaction(async (sql) => {
      await sql.query(insert, ['Ida']);
      await served.close();
      await sql.query(insert, ['Eva']);
    });
    await expect(work).rejects.toBeInstanceOf(HolderLost);
    await expect(client.query('select 1')).rejects.toBeInstanceOf(HolderLost);
    await expect(reachDatabase(at('sock'))).rejects.toBeInstanceOf(HolderLost);
    expect(await names()).toEqual([]);
  });

  it('is waited for while the holder opens it, and tells what that came to', async () => {
    let open: (database: SqlDatabase) => void = () => undefined;
    const opening = new Promise<SqlDatabase>((resolve) => {
      open = resolve;
    });
    const late = await serveDatabase(opening, at('late'));
    const reaching = reachDatabase(at('late'));
    open(opened.database);
    const reached = await reaching;
    expect(await reached.query('select 1 as one')).toEqual([{ one: 1 }]);
    await reached.close();
    await late.close();
  });

  it('is given up when its holder does not answer', async () => {
    const hanging = await serveDatabase(new Promise(() => undefined), at('hanging'));
    await expect(reachDatabase(at('hanging'), 50)).rejects.toMatchObject({
      code: 'unavailable',
      field: 'PROJECT_MEMORY_DATA_DIR',
    });
    await hanging.close();
  });
});

it('does a call again with the next holder', async () => {
  let joins = 0;
  const shared = await shareDatabase(async () => {
    joins += 1;
    return reachDatabase(at('sock'));
  });
  let tries = 0;
  await shared.transaction(async (sql) => {
    tries += 1;
    await sql.query(insert, ['Ida']);
    if (tries > 1) return;
    await served.close();
    served = await serveDatabase(Promise.resolve(opened.database), at('sock'));
    await sql.query('select 1');
  });
  expect({ joins, tries }).toEqual({ joins: 2, tries: 2 });
  expect(await names()).toEqual([{ name: 'Ida' }]);
  await shared.close();
  await expect(shared.query('select 1')).rejects.toMatchObject({ code: 'unavailable' });
});
