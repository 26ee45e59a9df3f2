import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { projectMemorySettings } from '../src/config.ts';
import { moveMemories, openEngine } from '../src/open-project-memory.ts';
import type { SqlDatabase } from '../src/store/database.ts';
import { migrateMemories } from '../src/store/migrating/migrate-memories.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { fillStore, note, OWNER, readExport } from './support/filling.ts';
import { createArbiter, createMemory, embedder, split } from './support/memory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-memory-migrate-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens a folder or a database as a server does. */
async function open(dataDir: string, databaseUrl?: string) {
  const engine = await openEngine({ dataDir, databaseUrl }, silentLog);
  const store = await createSqlMemoryStore(engine, { space: embedder.identity, onMismatch: 'refuse', split });
  return {
    store,
    engine,
    database: engine.database,
    memoryOf: (ownerId: string) => createMemory(store, { ownerId }).memory,
  };
}

const linesOf = (text: string): readonly string[] => text.split('\n').sort();

/** Every vector by its fragment. */
async function readVectors({ dialect, query }: SqlDatabase): Promise<ReadonlyMap<string, readonly number[]>> {
  const select = (table: string) =>
    `select id, ${dialect.vector('embedding')} as embedding from ${table} where embedding is not null`;
  const rows = await query<{ id: string; embedding: never }>(
    `${select('fragments')} union all ${select('version_fragments')}`,
  );
  return new Map(rows.map(({ id, embedding }) => [id, [...dialect.toVector(embedding)]]));
}

describeWithPostgres('project memory in a folder', (server) => {
  const move = (to: string, url: string | undefined, dataDir = folder, signal = new AbortController().signal) => {
    const env = { PROJECT_MEMORY_DATA_DIR: dataDir, ...(url !== undefined && { DATABASE_URL: url }) };
    return moveMemories(to, { ...readSettings(projectMemorySettings, env).values, log: silentLog, signal });
  };

  it('goes to Postgres while a server writes, with all that it has, and comes back', async () => {
    const url = await createDatabase(server());
    const files = await open(folder);
    await fillStore(files.store);
    const until = Date.now() + 500;
    const writing = (async () => {
      for (let at = 0; Date.now() < until; at += 1) {
        await files.memoryOf('cleo').ingest(note(`Written meanwhile, ${at}.`, `p${at}`));
        await sleep(5);
      }
    })();
    const report = await move('postgres', url);
    await writing;
    expect(report).toMatchObject({ owners: 3, isInterrupted: false });
    await move('postgres', url);
    expect(await move('postgres', url)).toMatchObject({ owners: 3, copied: 0 });
    const postgres = await open(folder, url);
    for (const owner of [OWNER, 'bob', 'cleo']) {
      const stored = linesOf(await readExport(files.memoryOf(owner)));
      expect(linesOf(await readExport(postgres.memoryOf(owner)))).toEqual(stored);
    }
    const vectors = await readVectors(files.database);
    expect(vectors.size).toBeGreaterThan(230);
    expect(await readVectors(postgres.database)).toEqual(vectors);
    expect(await postgres.store.inspect()).toMatchObject({ torn: [], broken: [], pending: 1 });
    const back = join(folder, 'back');
    await move('sqlite', url, back);
    const again = await open(back);
    expect(linesOf(await readExport(again.memoryOf(OWNER)))).toEqual(linesOf(await readExport(files.memoryOf(OWNER))));
    expect(await readVectors(again.database)).toEqual(vectors);
    await Promise.all([files.store.close(), postgres.store.close(), again.store.close()]);
  }, 120_000);

  it('goes on where it was cut off, and takes along what changed or was deleted since', async () => {
    const url = await createDatabase(server());
    const files = await open(folder);
    const { deleted } = await fillStore(files.store);
    const postgres = await open(folder, url);
    const caller = new AbortController();
    let isOver = false;
    const cutOff = move('postgres', url, folder, caller.signal).finally(() => {
      isOver = true;
    });
    const counted = () => postgres.database.query<{ count: number }>('select count(*) as count from memories');
    while (!isOver && ((await counted())[0]?.count ?? 0) < 20);
    caller.abort();
    expect(await cutOff).toMatchObject({ isInterrupted: true });
    const replacing = createMemory(files.store, { ownerId: OWNER, analyst: createArbiter('REPLACE') }).memory;
    await replacing.ingest(note('Berth 31 has 1 cranes.', 'berths'));
    const { id } = await replacing.ingest(note('A pier that is gone too.', 'gone'));
    await replacing.remove(id);
    const report = await move('postgres', url);
    expect(report?.copied).toBeLessThan(report?.lines ?? 0);
    expect(linesOf(await readExport(postgres.memoryOf(OWNER)))).toEqual(linesOf(await readExport(replacing)));
    expect((await postgres.memoryOf(OWNER).versions(deleted)).map(({ content }) => content)).toEqual([
      '',
      'A buoy that is gone.',
    ]);
    await Promise.all([files.store.close(), postgres.store.close()]);
  }, 120_000);

  it('is forgotten in Postgres too, of an owner who is forgotten meanwhile', async () => {
    const [files, postgres] = [await open(folder), await open(folder, await createDatabase(server()))];
    for (const owner of [OWNER, 'bob']) await files.memoryOf(owner).ingest(note(`The crane of ${owner}.`));
    const { exportLines } = files.store;
    const store = {
      ...files.store,
      exportLines: async function* (selection: Parameters<typeof exportLines>[0]) {
        if (selection.ownerId === 'bob') await files.store.forget(OWNER, false);
        yield* exportLines(selection);
      },
    };
    const signal = new AbortController().signal;
    const source = { store, database: files.database };
    await migrateMemories({ source, target: postgres, signal, onProgress: () => undefined });
    const left = await postgres.database.query('select distinct owner_id as owner from memories');
    expect(left).toEqual([{ owner: 'bob' }]);
    await Promise.all([files.store.close(), postgres.store.close()]);
  }, 60_000);

  it('changes nothing of a memory with another history, and says that there is one', async () => {
    const url = await createDatabase(server());
    const [files, postgres] = [await open(folder), await open(folder, url)];
    const newId = () => 'mem_00000000000000000000000000000001';
    const write = (store: typeof files.store, content: string) =>
      createMemory(store, { ownerId: OWNER, newId }).memory.ingest(note(content));
    await write(files.store, 'The tide table is printed in May.');
    const { id } = await write(postgres.store, 'The crane is green.');
    await expect(move('postgres', url)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^1 memories or lines of the source have another history/),
    });
    expect(await postgres.memoryOf(OWNER).get([id])).toMatchObject([{ content: 'The crane is green.' }]);
    await Promise.all([files.store.close(), postgres.store.close()]);
  }, 60_000);

  it('is named in the receipt of an owner who is forgotten in Postgres, while it has that owner', async () => {
    const url = await createDatabase(server());
    const files = await open(folder);
    await files.memoryOf(OWNER).ingest(note('The tide table is printed in May.'));
    await files.store.close();
    await move('postgres', url);
    const { engine, store } = await open(folder, url);
    const file = join(folder, 'project-memory.db');
    const named = { what: file, why: expect.stringContaining('delete it') };
    expect((await engine.forget(OWNER, false)).unreached).toContainEqual(named);
    expect((await engine.forget('bob', false)).unreached).not.toContainEqual(named);
    await store.close();
  }, 60_000);

  it('needs both ends, and makes no folder to copy from', async () => {
    const [url, none] = [await createDatabase(server()), join(folder, 'none')];
    await expect(move('chroma', url)).rejects.toMatchObject({ field: 'migrate' });
    await expect(move('postgres', undefined)).rejects.toMatchObject({ field: 'DATABASE_URL' });
    expect(await move('postgres', url, none)).toBeUndefined();
    expect(existsSync(none)).toBe(false);
  }, 60_000);
});
