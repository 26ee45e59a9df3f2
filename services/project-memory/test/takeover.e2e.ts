import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReadOnly } from '@contextloom/sqlite';
import { findBytes } from '@contextloom/testing/find-bytes';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createPostgresEngine } from '../src/store/postgres/engine.ts';
import { toFile } from '../src/store/sqlite/engine.ts';
import { openFolder } from '../src/store/sqlite/open-folder.ts';
import { toPgliteDatabase } from '../src/store/takeover/copy-memories.ts';
import { readPristine, toVersion3 } from './support/databases.ts';
import { type Filled, fillStore, note, OWNER, readExport as read } from './support/filling.ts';
import { createMemory, embedder, openStore } from './support/memory.ts';

/** What an earlier version left. */
async function fill(engine: PGlite): Promise<Filled> {
  const database = toPgliteDatabase(engine);
  const filled = await fillStore(await openStore({ toEngine: (options) => createPostgresEngine(database, options) }));
  await toVersion3(database, embedder.identity.dimensions);
  return filled;
}

let model: string;
let left: Filled;
let folder: string;
beforeAll(async () => {
  model = await mkdtemp(join(tmpdir(), 'project-memory-old-'));
  const engine = await PGlite.create({
    dataDir: join(model, 'postgres'),
    extensions: { vector },
    loadDataDir: await readPristine(),
  });
  left = await fill(engine);
  await engine.close();
}, 240_000);
afterAll(() => rm(model, { recursive: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-memory-takeover-'));
  await cp(join(model, 'postgres'), join(folder, 'postgres'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the folder as a server does, and what it says of it. */
async function start() {
  const said: string[] = [];
  const tell = (_details: object, message: string): void => void said.push(message);
  const engine = await openFolder(folder, { info: tell, warn: tell });
  const store = await openStore({ toEngine: () => engine });
  const { memory } = createMemory(store, { ownerId: OWNER });
  return { engine, store, memory, said };
}

it('takes over all that an earlier version stored, once, and keeps its files', async () => {
  const { store, memory, said } = await start();
  expect(said).toEqual([expect.stringContaining('takes over'), expect.stringContaining('took over')]);
  expect(await read(memory)).toBe(left.before);
  expect(await store.inspect()).toMatchObject({ torn: [], broken: [], pending: 1 });
  expect((await memory.versions(left.deleted)).map(({ content }) => content)).toEqual(['', 'A buoy that is gone.']);
  expect((await memory.search({ query: 'berth 3100', scope: 'all', limit: 5 })).results[0]?.snippet).toContain('3100');
  expect((await memory.others()).memories).toBe(1);
  await memory.ingest(note('Written after it.', 'later'));
  await store.close();
  expect((await readdir(folder)).sort()).toEqual(expect.arrayContaining(['postgres-before-sqlite']));
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  const again = await start();
  expect(again.said).toEqual([]);
  expect((await again.memory.projects(10)).length).toBe(5);
  await again.store.close();
}, 120_000);

it('begins again when it was interrupted, before its end and after it', async () => {
  const first = await start();
  await first.store.close();
  // As if it had ended between the transaction and the new name.
  await rename(join(folder, 'postgres-before-sqlite'), join(folder, 'postgres'));
  const second = await start();
  expect(second.said).toEqual([expect.stringContaining('took over')]);
  expect(await read(second.memory)).toBe(left.before);
  await second.store.close();
}, 120_000);

it('is done by one of several processes that start at once', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect([...one.said, ...other.said].filter((message) => message.startsWith('took over'))).toHaveLength(1);
  expect(await read(one.memory)).toBe(left.before);
  expect(await read(other.memory)).toBe(left.before);
  await Promise.all([one.store.close(), other.store.close()]);
}, 120_000);

it('leaves nothing behind when what it reads cannot be opened', async () => {
  await rm(join(folder, 'postgres', 'global', 'pg_control'));
  await expect(start()).rejects.toMatchObject({ code: 'unavailable', field: 'PROJECT_MEMORY_DATA_DIR' });
  const database = openReadOnly(toFile(folder));
  expect(database.prepare('select count(*) from projects').pluck().get()).toBe(0);
  database.close();
  await rm(join(folder, 'postgres'), { recursive: true });
  await mkdir(join(folder, 'postgres', 'base'), { recursive: true });
  await writeFile(join(folder, 'postgres', 'base', '1'), 'rows');
  await expect(start()).rejects.toMatchObject({ message: expect.stringMatching(/postgres.*PG_VERSION/) });
}, 120_000);

it('begins with nothing where an earlier version had made no tables yet', async () => {
  await rm(join(folder, 'postgres'), { recursive: true });
  const dataDir = join(folder, 'postgres');
  await (await PGlite.create({ dataDir, loadDataDir: await readPristine() })).close();
  const { memory, store } = await start();
  expect(await memory.projects(5)).toEqual([]);
  await store.close();
  expect(existsSync(dataDir)).toBe(false);
}, 120_000);

it('forgets an owner in the files that are kept too', async () => {
  const { engine, memory, store } = await start();
  await memory.ingest(note('Ann was here.', 'later'));
  const planned = await engine.forget(OWNER, true);
  expect(planned.erased).toContainEqual({ what: 'folders that an earlier version left', count: 1 });
  expect(findBytes(folder, ['tide table']).length).toBeGreaterThan(1);
  const done = await engine.forget(OWNER, false);
  expect(done).toEqual({ ...planned, unreached: [] });
  expect(findBytes(folder, ['tide table', 'Berth'])).toEqual([]);
  expect((await memory.others()).memories).toBe(1);
  await store.close();
}, 120_000);
