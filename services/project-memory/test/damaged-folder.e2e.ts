import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { SqlDatabase } from '../src/store/database.ts';
import { openPgliteDatabase } from '../src/store/pglite/pglite-database.ts';
import { createMemory, openStore } from './support/memory.ts';

// Making a database takes seconds, and many times that where all cores are busy.
jest.setTimeout(240_000);

const fail = (cause: unknown): never => {
  throw cause;
};
const open = (folder: string): Promise<SqlDatabase> =>
  openPgliteDatabase({ folder, use: 'alone', onUpkeepFailed: fail, onUnserved: fail });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-memory-damaged-'));
});
beforeEach(() => rm(join(folder, 'postgres'), { recursive: true, force: true }));
afterAll(() => rm(folder, { recursive: true }));

/** The files of a folder with their sizes, the largest first. */
async function listFiles(place: string): Promise<readonly { readonly path: string; readonly size: number }[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
  return files.sort((a, b) => b.size - a.size || a.path.localeCompare(b.path));
}

it('refuses a folder that has files and no PG_VERSION, and leaves it as it is', async () => {
  const files = join(folder, 'postgres');
  await mkdir(join(files, 'base'), { recursive: true });
  await writeFile(join(files, 'base', '1'), 'rows');
  const before = await listFiles(files);
  await expect(open(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/postgres.*PG_VERSION/),
  });
  expect(await listFiles(files)).toEqual(before);
});

it('makes a database in a folder that is empty', async () => {
  await mkdir(join(folder, 'postgres'));
  const database = await open(folder);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await database.close();
});

(process.platform === 'win32' ? it.skip : it)(
  'keeps others from its folder, and from files that were open to them',
  async () => {
    const files = join(folder, 'postgres');
    const modes = async () => {
      const entries = await readdir(files, { recursive: true, withFileTypes: true });
      const paths = [files, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
      return new Set(await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o077)));
    };
    const database = await open(folder);
    await database.query('create table notes (words text)');
    expect((await stat(files)).mode & 0o777).toBe(0o700);
    await database.close();
    expect(await modes()).toEqual(new Set([0]));
    await chmod(files, 0o755);
    await chmod(join(files, 'PG_VERSION'), 0o666);
    await (await open(folder)).close();
    expect(await modes()).toEqual(new Set([0]));
  },
);

it('refuses a database whose largest table has lost half of its file, by its name, and opens it when it is whole', async () => {
  const database = await open(folder);
  const store = await openStore(database);
  const { memory } = createMemory(store);
  const content = (at: number) =>
    Array.from({ length: 12 }, (_, line) => `Station ${at * 100 + line} and its tides, month ${line * at}.`).join('\n');
  for (let at = 0; at < 40; at += 1) {
    await memory.ingest({ project_name: 'harbour', content_type: 'testing', content: content(at) });
  }
  const pathOf = async (name: string) =>
    (await database.query<{ path: string }>('select pg_relation_filepath($1::regclass) as path', [name]))[0]?.path ??
    '';
  const table = join(folder, 'postgres', await pathOf('fragments'));
  await store.close();
  const { size } = await stat(table);
  const whole = await readFile(table);
  await truncate(table, Math.floor(size / 8_192 / 2) * 8_192);
  await expect(open(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('fragments'),
  });
  expect((await stat(table)).size).toBeLessThan(size);
  await writeFile(table, whole);
  const again = await open(folder);
  expect(await again.query('select count(*)::int as count from memories')).toEqual([{ count: 40 }]);
  await again.close();
});

it('says which folder it is when Postgres cannot start in it', async () => {
  await (await open(folder)).close();
  await rm(join(folder, 'postgres', 'global', 'pg_control'));
  await expect(open(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(join(folder, 'postgres')),
  });
});
