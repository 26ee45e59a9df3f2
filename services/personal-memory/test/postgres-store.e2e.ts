import { readSettings, silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkMemory } from '../src/checks.ts';
import { personalMemorySettings } from '../src/config.ts';
import { toSearchable } from '../src/domain/context.ts';
import { describeConsequences } from './consequences.contract.ts';
import { describeEnds } from './ends.contract.ts';
import { describeStore, storeEvent, toEvent } from './store/store.contract.ts';
import { connect, createClock, embed } from './support/memory.ts';
import { openPostgresAt } from './support/postgres.ts';

const SCHEMA = 'contextloom_personal_memory';

describeWithPostgres('personal memory on a Postgres server', (server) => {
  beforeAll(() => runSql(server().url, 'CREATE ROLE plain LOGIN'));

  const databases = new Map<string, string>();
  describeStore({
    name: 'postgres',
    hasFiles: false,
    open: async (folder) => {
      const url = databases.get(folder) ?? (await createDatabase(server()));
      databases.set(folder, url);
      return openPostgresAt(url);
    },
  });

  describe('consequences', () => describeConsequences(async () => openPostgresAt(await createDatabase(server()))));

  describe('ends', () => describeEnds(async () => openPostgresAt(await createDatabase(server())), false));

  it('is checked, and how it compares vectors is told', async () => {
    const env = { DATABASE_URL: await createDatabase(server()), PERSONAL_MEMORY_DATA_DIR: '/nowhere' };
    const [memory] = await checkMemory(readSettings(personalMemorySettings, env).values, silentLog);
    const detail = expect.stringMatching(
      /^the Postgres database .*, 0 users; vectors are compared exactly, without pgvector$/,
    );
    expect(memory).toEqual({ name: 'memory', status: 'ok', detail });
  });

  it('makes its schema once, however many processes start at the same moment, and refuses a newer one', async () => {
    const url = await createDatabase(server());
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresAt(url)));
    await Promise.all(stores.map((store) => store.close()));
    expect(await runSql(url, `SELECT version FROM ${SCHEMA}.schema_version`)).toEqual([{ version: 2 }]);
    await runSql(url, `UPDATE ${SCHEMA}.schema_version SET version = 9`);
    await expect(openPostgresAt(url)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/DATABASE_URL has version 9, and this program knows versions up to 2/),
    });
  });

  it('is refused with a sentence that names the setting while it cannot be reached', async () => {
    const url = await createDatabase(server());
    const away = { code: 'unavailable', message: expect.stringContaining('DATABASE_URL') };
    await expect(openPostgresAt(`${url}_not_there`)).rejects.toMatchObject(away);
    await expect(openPostgresAt('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject(away);
  });

  it('is refused to a user who may not make the schema, with what a person can do', async () => {
    const url = new URL(await createDatabase(server()));
    url.username = 'plain';
    await expect(openPostgresAt(url.href)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /schema contextloom_personal_memory: grant it CREATE .*PERSONAL_MEMORY_STORE=embedded/,
      ),
    });
  });

  it('keeps texts with every character, and finds events by their tags', async () => {
    const store = await openPostgresAt(await createDatabase(server()));
    const odd = 'zero \u0000 one \u0001 two \u00010 茶 "quoted" \\ ?';
    const event = toEvent(odd, { tags: [odd, ',', 'tea'], metadata: { [odd]: odd } });
    const id = await storeEvent(store, 'ann', event);
    await storeEvent(store, 'ann', toEvent('other', { tags: [',,'] }));
    await store.use('ann', async (memory) => {
      expect(await memory.events({ tag: ',' })).toEqual([{ ...event, id }]);
      expect(await memory.events({ tag: odd })).toHaveLength(1);
      expect(await memory.events({ withoutTag: odd })).toHaveLength(1);
    });
    await store.close();
  });

  it('derives its index again for another embedder, and refuses the servers of the one before', async () => {
    const url = await createDatabase(server());
    const before = await openPostgresAt(url);
    await storeEvent(before, 'ann', toEvent('喝茶 with Mei'));
    const after = await openPostgresAt(url, undefined, { fingerprint: 'newer' });
    const text = await toSearchable('喝茶', { embed });
    const search = (store: typeof after) => store.use('ann', (memory) => memory.searchEvents({ text, limit: 5 }, {}));
    expect((await search(after)).hits).toHaveLength(1);
    expect(await runSql(url, `SELECT DISTINCT made_by FROM ${SCHEMA}.event_entries`)).toEqual([{ made_by: 'newer' }]);
    await expect(search(before)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(storeEvent(before, 'ann', toEvent('more'))).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([before.close(), after.close()]);
  });

  it('makes the vectors of texts that were stored without one later', async () => {
    const store = await openPostgresAt(await createDatabase(server()));
    const without = { ...(await toSearchable('a walk on the pier', { embed })), vector: undefined };
    await store.use('ann', (memory) =>
      memory.change((writer) => writer.addEvent(toEvent('a walk on the pier'), 0, without)),
    );
    expect(await store.countWaiting()).toBe(1);
    expect(await store.embedWaiting()).toBe(1);
    expect(await store.countWaiting()).toBe(0);
    await store.close();
  });

  it('forgets a user with all that there is of them, and nobody else', async () => {
    const url = await createDatabase(server());
    const store = await openPostgresAt(url);
    const client = await connect(store, { userId: undefined, clock: createClock() });
    for (const user_id of ['ann-7f3a91', 'bob']) {
      await client.ask('create_entity', { user_id, entity_type: 'person', name: 'Mei' });
      await client.ask('add_entity_alias', { user_id, entity_id: 1, alias: 'M' });
      const event = { event_type: 'activity', description: 'walked', related_entity_ids: [1] };
      await client.ask('add_event', { user_id, ...event });
      await client.ask('update_profile', { user_id, key: 'tea', value: 'black' });
      await client.ask('update_profile', { user_id, key: 'tea', value: 'green' });
    }
    const bob = () => client.ask('export_data', { user_id: 'bob' });
    const before = await bob();
    const forgotten = await client.ask('forget_user', { user_id: 'ann-7f3a91', dry_run: false });
    expect(forgotten['erased']).toEqual(expect.arrayContaining([{ what: 'events', count: 2 }]));
    expect(await bob()).toEqual(before);
    expect(await store.users()).toEqual(['bob']);
    const tables = await runSql<{ table_name: string }>(
      url,
      `SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = '${SCHEMA}' AND column_name = 'user_id'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { table_name } of tables) {
      const rows = await runSql(url, `SELECT 1 FROM ${SCHEMA}.${table_name} WHERE user_id LIKE 'ann%'`);
      expect({ table_name, rows }).toEqual({ table_name, rows: [] });
    }
    await client.close();
    await store.close();
  });

  describe('changes of two processes', () => {
    it('of one user come one after the other', async () => {
      const url = await createDatabase(server());
      const stores = await Promise.all([1, 2].map(() => openPostgresAt(url)));
      const clients = await Promise.all(stores.map((store) => connect(store)));
      await Promise.all(
        clients.flatMap((client, at) =>
          Array.from({ length: 15 }, (_, n) =>
            client.ask('add_event', { event_type: 'other', description: `${at} ${n}` }),
          ),
        ),
      );
      const { events } = (await clients[0]?.ask('search_events', { limit: 50 })) ?? {};
      const ids = (events as { id: number }[]).map(({ id }) => id);
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
      for (const one of [...clients, ...stores]) await one.close();
    });
  });
});
