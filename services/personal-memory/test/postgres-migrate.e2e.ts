import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { moveMemories, openPersonalMemory, type StoreChoice } from '../src/open-personal-memory.ts';
import { fill, readAll } from './support/filling.ts';
import { connect, createClock, makeFolder, removeFolder } from './support/memory.ts';

const choice = {
  dbPath: undefined,
  backupDir: undefined,
  encryptionKey: undefined,
  engine: undefined,
  embeddingProvider: 'lexical',
  embeddingModel: undefined,
  embeddingBaseUrl: undefined,
  embeddingApiKey: undefined,
  embeddingDimensions: undefined,
};

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

const log = silentLog;

for (const storage of ['shared', 'per-user'] as const) {
  describeWithPostgres(`memories of ${storage} files`, (server) => {
    const toChoice = (databaseUrl: string | undefined): StoreChoice => ({
      ...choice,
      storage,
      dataDir: folder,
      databaseUrl,
    });
    const move = (
      url: string,
      to: string,
      signal = new AbortController().signal,
      onProgress: () => void = () => undefined,
    ) => moveMemories(toChoice(url), { to, log, signal, onProgress });

    it('go to Postgres while a server writes, and come back, with all that they have', async () => {
      const url = await createDatabase(server());
      const files = await openPersonalMemory(toChoice(undefined), { log });
      await fill(files.store);
      const client = await connect(files.store, { userId: undefined, clock: createClock() });
      const add = (text: string) => client.ask('add_event', { user_id: 'ann', event_type: 'other', description: text });
      let passes = 0;
      let written = Promise.resolve<unknown>(undefined);
      // Each of the first passes finds something that was written during the one before, a change and a deletion among them.
      const onProgress = (): void => {
        passes += 1;
        if (passes === 1) written = add('while it is moved');
        if (passes === 2) written = client.ask('delete_event', { user_id: 'ann', event_id: 1 });
      };
      const report = await move(url, 'postgres', undefined, onProgress);
      await written;
      expect(report).toMatchObject({ users: 3, isInterrupted: false });
      expect(report.copied).toBeGreaterThanOrEqual(4);
      // Whoever has the files open is told that they are gone.
      await expect(add('too late')).rejects.toThrow();
      await client.close();
      await files.store.close().catch(() => undefined);
      const kept = await openPersonalMemory({ ...toChoice(undefined), dataDir: join(folder, 'none') }, { log });
      await kept.store.close();
      const moved = await openPersonalMemory(toChoice(url), { log });
      const inPostgres = await readAll(moved.store);
      expect(JSON.stringify(inPostgres)).not.toContain('too late');
      await moved.store.close();
      await expect(openPersonalMemory(toChoice(undefined), { log })).rejects.toThrow(/were moved to Postgres/);
      expect(await move(url, 'sqlite')).toMatchObject({ users: 3, copied: 3 });
      expect(await move(url, 'sqlite').catch((error: Error) => error.message)).toMatch(
        /is there already: move it away/,
      );
      const back = await openPersonalMemory(toChoice(undefined), { log });
      expect(await readAll(back.store)).toEqual(inPostgres);
      const again = await connect(back.store, { userId: 'ann', clock: createClock() });
      const added = await again.ask('create_entity', { entity_type: 'other', name: 'thing' });
      expect(added).toEqual({ entity_id: 4 });
      await again.close();
      await back.store.close();
    }, 120_000);

    it('go on where moving was cut off, in both directions', async () => {
      const url = await createDatabase(server());
      const files = await openPersonalMemory(toChoice(undefined), { log });
      await fill(files.store);
      await files.store.close();
      await (await openPersonalMemory({ ...toChoice(url), dataDir: join(folder, 'none') }, { log })).store.close();
      const table = 'contextloom_personal_memory.events';
      await runSql(
        url,
        `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.user_id = '用户' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$`,
        `CREATE TRIGGER cut BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION cut()`,
      );
      await expect(move(url, 'postgres')).rejects.toMatchObject({ code: 'unavailable' });
      // No server begins with half of them.
      await expect(openPersonalMemory(toChoice(url), { log })).rejects.toThrow(/are being moved to the database/);
      await runSql(url, `DROP TRIGGER cut ON ${table}`);
      // Who is forgotten in between, after being copied, is forgotten there too.
      const between = await openPersonalMemory(toChoice(undefined), { log });
      await between.store.forget('bob', false);
      const before = await readAll(between.store);
      await between.store.close();
      const rest = await move(url, 'postgres');
      // Ann was there already.
      expect(rest).toMatchObject({ users: 2, copied: 2 });
      const moved = await openPersonalMemory(toChoice(url), { log });
      expect(await readAll(moved.store)).toEqual(before);
      await moved.store.close();
      const interrupted = new AbortController();
      interrupted.abort();
      expect(await move(url, 'sqlite', interrupted.signal)).toMatchObject({ isInterrupted: true });
      expect(readdirSync(folder)).not.toContain(storage === 'shared' ? 'memory.db' : 'users');
      expect(await move(url, 'sqlite')).toMatchObject({ users: 2, isInterrupted: false });
      const back = await openPersonalMemory(toChoice(undefined), { log });
      expect(await readAll(back.store)).toEqual(before);
      await back.store.close();
      expect(readdirSync(folder).filter((name) => name.includes('incoming'))).toEqual([]);
    }, 120_000);

    it('are refused where the database has others, and what does not arrive whole is refused', async () => {
      const url = await createDatabase(server());
      const other = await openPersonalMemory({ ...toChoice(url), dataDir: join(folder, 'none') }, { log });
      await fill(other.store);
      await other.store.close();
      const files = await openPersonalMemory(toChoice(undefined), { log });
      await fill(files.store);
      await files.store.close();
      await expect(move(url, 'postgres')).rejects.toThrow(/has memories already/);
      const empty = await createDatabase(server());
      await (await openPersonalMemory({ ...toChoice(empty), dataDir: join(folder, 'none') }, { log })).store.close();
      const table = 'contextloom_personal_memory.events';
      await runSql(
        empty,
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.description = 'spoilt'; RETURN NEW; END $$",
        `CREATE TRIGGER spoil BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION spoil()`,
      );
      await expect(move(empty, 'postgres')).rejects.toThrow(/did not arrive as it was/);
      expect(existsSync(join(folder, storage === 'shared' ? 'memory.db' : 'users'))).toBe(true);
    }, 120_000);

    it('need an address and an engine that there is', async () => {
      const signal = new AbortController().signal;
      const work = { log, signal, onProgress: () => undefined };
      await expect(moveMemories(toChoice(undefined), { ...work, to: 'sqlite' })).rejects.toThrow(
        /DATABASE_URL must be/,
      );
      await expect(move(server().url, 'chroma')).rejects.toThrow(/--migrate must be postgres or sqlite/);
    });
  });
}
