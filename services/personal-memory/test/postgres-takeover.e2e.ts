import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openPersonalMemory } from '../src/open-personal-memory.ts';
import { storeEvent, toEvent } from './store/store.contract.ts';
import { fill, readAll } from './support/filling.ts';
import { connect, createClock, makeFolder, openStore, removeFolder } from './support/memory.ts';
import { openPostgresAt } from './support/postgres.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

describeWithPostgres('a file of memories', (server) => {
  it('is taken over at the first start with all that it has, and kept', async () => {
    const store = openStore(folder);
    await fill(store);
    const before = await readAll(store);
    await store.close();
    const url = await createDatabase(server());
    const taken = await openPostgresAt(url, folder);
    expect(await readAll(taken)).toEqual(before);
    const client = await connect(taken, { userId: 'ann', clock: createClock() });
    expect(await client.ask('add_event', { event_type: 'other', description: 'new' })).toEqual({ event_id: 9 });
    expect(await client.ask('create_entity', { entity_type: 'other', name: 'thing' })).toEqual({ entity_id: 4 });
    const forgotten = await client.ask('forget_user', { user_id: 'ann', dry_run: false }).catch(() => undefined);
    if (forgotten !== undefined) expect(JSON.stringify(forgotten)).toContain('memory.before-postgres.db');
    await client.close();
    await taken.close();
    expect(existsSync(join(folder, 'memory.db'))).toBe(false);
    renameSync(join(folder, 'memory.before-postgres.db'), join(folder, 'memory.db'));
    const kept = openStore(folder);
    expect(await readAll(kept)).toEqual(before);
    await kept.close();
  }, 120_000);

  it('goes on where its takeover was cut off, and takes nobody over twice', async () => {
    const store = openStore(folder);
    await fill(store);
    const before = await readAll(store);
    await store.close();
    const url = await createDatabase(server());
    // The connection is cut while the last user is copied.
    await (await openPostgresAt(url)).close();
    await runSql(
      url,
      `CREATE FUNCTION contextloom_personal_memory.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.user_id = '用户' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$`,
      'CREATE TRIGGER cut BEFORE INSERT ON contextloom_personal_memory.events FOR EACH ROW EXECUTE FUNCTION contextloom_personal_memory.cut()',
    );
    await expect(openPostgresAt(url, folder)).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(join(folder, 'memory.db'))).toBe(true);
    await runSql(url, 'DROP TRIGGER cut ON contextloom_personal_memory.events');
    const other = makeFolder();
    await expect(openPostgresAt(url, other)).rejects.toThrow(/are being moved to the database of DATABASE_URL/);
    removeFolder(other);
    const taken = await openPostgresAt(url, folder);
    expect(await readAll(taken)).toEqual(before);
    await taken.close();
  }, 120_000);

  it('is refused where the database has other memories, and stays as it is', async () => {
    const url = await createDatabase(server());
    const first = await openPostgresAt(url);
    await storeEvent(first, 'eve', toEvent('hers'));
    await first.close();
    const store = openStore(folder);
    await storeEvent(store, 'ann', toEvent('mine'));
    await store.close();
    await expect(openPostgresAt(url, folder)).rejects.toThrow(
      /has memories, and the database of DATABASE_URL has others/,
    );
    expect(existsSync(join(folder, 'memory.db'))).toBe(true);
  });

  const choice = {
    dbPath: undefined,
    storage: 'per-user' as const,
    backupDir: undefined,
    encryptionKey: undefined,
    engine: undefined,
    embeddingProvider: 'lexical',
    embeddingModel: undefined,
    embeddingBaseUrl: undefined,
    embeddingApiKey: undefined,
    embeddingDimensions: undefined,
  };

  it('of each user is taken over too, and no empty one takes its place without the database', async () => {
    const open = (databaseUrl: string | undefined) =>
      openPersonalMemory({ ...choice, dataDir: folder, databaseUrl }, { log: silentLog });
    const files = await open(undefined);
    await fill(files.store);
    const before = await readAll(files.store);
    await files.store.close();
    const taken = await open(await createDatabase(server()));
    expect(await readAll(taken.store)).toEqual(before);
    await taken.store.close();
    await expect(open(undefined)).rejects.toThrow(/were moved to Postgres: set DATABASE_URL/);
  }, 120_000);

  it('that is encrypted stays one unless a person says otherwise', async () => {
    const both = { ...choice, dataDir: folder, encryptionKey: 'k', databaseUrl: server().url };
    await expect(openPersonalMemory(both, { log: silentLog })).rejects.toThrow(
      /PERSONAL_MEMORY_STORE=embedded to keep/,
    );
  });
});
