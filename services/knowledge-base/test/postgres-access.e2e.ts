import { setTimeout as sleep } from 'node:timers/promises';
import { tokenize } from '@contextloom/retrieval';
import { silentLog } from '@contextloom/runtime';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDocumentDatabase } from '../src/store/postgres/database.ts';
import { attackOwners, fillForAttacks } from './support/hostile-owners.ts';
import { createDatabase, describeWithPostgres, openPostgresStoreAt, runSql } from './support/postgres-store.ts';
import { everyone, seenBy, toDocument, toWrites } from './support/stores.ts';

const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };
const SCHEMA = 'contextloom_knowledge_base';
const ALL = 'SELECT owner, content FROM documents';

describeWithPostgres('a Postgres server', (server) => {
  beforeAll(() => runSql(server().url, 'CREATE ROLE plain LOGIN'));

  describe.each([['a superuser'], ['plain']])('as %s', (user) => {
    const create = () => createDatabase(server(), user === 'plain' ? user : undefined);
    it('shows a query that forgets its user nothing of others, whatever the user is called', async () => {
      const url = await create();
      await fillForAttacks(url);
      const database = await openDocumentDatabase({ url, log: silentLog });
      expect(database.isOpen).toBe(false);
      await attackOwners(database, 1_000);
      await database.close();
    }, 240_000);

    it('shows who connects without a user nothing, as far as a superuser does not', async () => {
      const url = await create();
      await fillForAttacks(url);
      const texts = [...(user === 'plain' ? [] : ['SET ROLE contextloom_documents']), `SET search_path TO ${SCHEMA}`];
      expect(await runSql(url, ...texts, ALL)).toEqual([]);
      expect(await runSql(url, ...texts, "SET contextloom.owners = ''", ALL)).toEqual([]);
    });
  });

  it('makes its schema once, however many processes start at the same moment, and refuses a newer one', async () => {
    const url = await createDatabase(server());
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStoreAt(url)));
    await Promise.all(stores.map((store) => store.close()));
    expect(await runSql(url, `SELECT version FROM ${SCHEMA}.schema_version`)).toEqual([{ version: 3 }]);
    await runSql(url, `UPDATE ${SCHEMA}.schema_version SET version = 9`);
    await expect(openPostgresStoreAt(url)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/DATABASE_URL has version 9, and this program knows versions up to 3/),
    });
  });

  it('brings a schema of the version before up to date, with its documents and who may see them', async () => {
    const url = await createDatabase(server());
    const before = await openPostgresStoreAt(url);
    await before.put(await toWrites(toDocument('ann', 'tea', { metadata: { user_id: 'ann' } })), times);
    await before.close();
    await runSql(
      url,
      `SET search_path TO ${SCHEMA}`,
      `ALTER POLICY of_owners ON documents USING (current_setting('contextloom.owners', true) = '*'
         OR owner = ANY (string_to_array(current_setting('contextloom.owners', true), E'\\n')))`,
      'DROP INDEX IF EXISTS documents_by_time',
      'ALTER TABLE documents DROP COLUMN forget_at, DROP COLUMN is_retraction',
      'CREATE INDEX documents_by_time ON documents (owner, time DESC, id)',
      'UPDATE schema_version SET version = 1',
    );
    const store = await openPostgresStoreAt(url);
    expect(await runSql(url, `SELECT version FROM ${SCHEMA}.schema_version`)).toEqual([{ version: 3 }]);
    // The table was rewritten: without a vacuum an index alone could not answer, for as long as few rows are added.
    const map = "SELECT relallvisible = relpages AS whole FROM pg_class WHERE relname = 'documents'";
    expect(await runSql(url, map)).toEqual([{ whole: true }]);
    expect((await store.read(['ann'], seenBy('ann'))).map(({ document }) => document.content)).toEqual(['tea']);
    expect(await store.read(['ann'], seenBy('bob'))).toEqual([]);
    await store.close();
  });

  it('selects for a search, and finds what has expired, by indexes alone', async () => {
    const url = await createDatabase(server());
    const how = { cacheBytes: 0 };
    const filling = await openPostgresStoreAt(url, how);
    const users = Array.from({ length: 40 }, (_, at) => `user-${at}`);
    const ending = { tags: ['retraction'], metadata: { user_id: 'ann', forget_at: '2025-01-01T00:00:00Z' } };
    const some = users.flatMap((user) =>
      Array.from({ length: 50 }, (_, at) => toDocument(`${user}-${at}`, `tea ${at}`, { metadata: { user_id: user } })),
    );
    await filling.put(await toWrites(...some, toDocument('ended', 'tea', ending)), times);
    await filling.close();
    const read = async (column: string) => {
      const text = `SELECT coalesce(sum(${column}), 0)::int AS count FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i
        USING (relid) WHERE t.relname = 'documents' AND i.indexrelname IN ('documents_by_time', 'documents_ending')`;
      return (await runSql<{ count: number }>(url, text))[0]?.count ?? 0;
    };
    await runSql(url, `VACUUM ANALYZE ${SCHEMA}.documents`);
    const rowsOfAll = await read('seq_tup_read');
    const store = await openPostgresStoreAt(url, how);
    const alive = { test: 'not_lte', attribute: 'time:forget_at', value: Date.now() } as const;
    const noReceipt = { test: 'not_in', attribute: 'tag:retraction', values: [true] } as const;
    const condition = { test: 'and', conditions: [alive, noReceipt] } as const;
    const found = await store.find(
      { tokens: tokenize('tea'), vector: undefined },
      { ...seenBy('user-7'), condition },
      10,
    );
    expect(found.byWords).toHaveLength(10);
    const ended = { test: 'lte', attribute: 'time:forget_at', value: Date.now() } as const;
    const list = await store.list({ ...everyone, condition: ended }, { limit: 10 });
    expect(list.documents.map(({ id }) => id)).toEqual(['ended']);
    await store.close();
    // What it did is told when its connections have ended.
    while ((await read('i.idx_scan')) < 2) await sleep(50);
    expect(await read('i.idx_tup_fetch')).toBeLessThan(10);
    expect(await read('seq_tup_read')).toBe(rowsOfAll);
  });

  it('stores what several processes write to the same ids at once, one after the other', async () => {
    const url = await createDatabase(server());
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStoreAt(url)));
    const ids = Array.from({ length: 12 }, (_, at) => `d-${at}`);
    const puts = stores.map(async (store, turn) =>
      store.put(
        await toWrites(...(turn % 2 === 0 ? ids : ids.toReversed()).map((id) => toDocument(id, `${id} ${turn}`))),
        times,
      ),
    );
    expect(await Promise.all(puts)).toEqual(stores.map(() => ({ kind: 'stored' })));
    const held = (await stores[0]?.read(ids, everyone)) ?? [];
    expect(held.map(({ document }) => document.version)).toEqual(ids.map(() => 4));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('is refused with a sentence that names the setting while it cannot be reached', async () => {
    const url = await createDatabase(server());
    const away = { code: 'unavailable', message: expect.stringContaining('DATABASE_URL') };
    await expect(openPostgresStoreAt(`${url}_not_there`)).rejects.toMatchObject(away);
    await expect(openPostgresStoreAt('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject(away);
  });

  it('is refused to a user who may not make the schema, with what a person can do', async () => {
    const url = new URL(await createDatabase(server()));
    url.username = 'plain';
    await expect(openPostgresStoreAt(url.href)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/schema contextloom_knowledge_base: grant it CREATE .*; or set KB_STORE=embedded/),
    });
  });
});
