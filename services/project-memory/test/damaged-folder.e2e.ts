import { mkdtemp, open as openFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { createSqliteEngine, openSound, toFile } from '../src/store/sqlite/engine.ts';
import type { SqliteDatabase } from '../src/store/sqlite/sqlite-database.ts';
import { createMemory, openStore } from './support/memory.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-memory-damaged-'));
  file = toFile(folder);
});
afterEach(() => rm(folder, { recursive: true }));

async function open(): Promise<{ readonly database: SqliteDatabase; readonly memory: ProjectMemory }> {
  const database = openSound(folder);
  const store = await openStore({ toEngine: () => createSqliteEngine(database) });
  return { database, memory: createMemory(store, { ownerId: 'ann' }).memory };
}

const ingest = (memory: ProjectMemory, at: number) =>
  memory.ingest({
    project_name: 'harbour',
    content_type: 'testing',
    content: Array.from({ length: 12 }, (_, line) => `Station ${at * 100 + line}, month ${line * at}.`).join('\n'),
  });

/** A folder with forty memories, no server on it. */
async function fill(): Promise<void> {
  const { database, memory } = await open();
  for (let at = 0; at < 40; at += 1) await ingest(memory, at);
  await database.close();
}

describe('a damaged file', () => {
  it.each([
    ['cut to half', (size: number) => truncate(file, Math.floor(size / 8_192) * 4_096)],
    ['of other bytes', () => writeFile(file, 'these are notes, and no database at all, though as long as a header is')],
    ['of no bytes', () => truncate(file, 0)],
    [
      'with a page of noise',
      async () => {
        const handle = await openFile(file, 'r+');
        await handle.write(Buffer.alloc(8_192, 7), 0, 8_192, 4_096);
        await handle.close();
      },
    ],
  ])('%s is refused by its name, with what to do, and opens when it is put back', async (_name, damage) => {
    await fill();
    const whole = await readFile(file);
    await damage((await stat(file)).size);
    const message = expect.stringMatching(/project-memory\.db is (?:damaged|empty).*put back/);
    await expect(open()).rejects.toMatchObject({ code: 'unavailable', message });
    await writeFile(file, whole);
    const { database, memory } = await open();
    expect((await memory.counts()).memories).toMatchObject([{ count: 40 }]);
    await database.close();
  });

  it('of a newer program is left as it is', async () => {
    await fill();
    const { database } = await open();
    database.connection.pragma('user_version = 99');
    await database.close();
    await expect(open()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('newer') });
  });
});

it('refuses a write on a full disk, loses nothing, and goes on in the same process when there is space again', async () => {
  const { database, memory } = await open();
  const first = await ingest(memory, 1);
  const pages = Number(database.connection.pragma('page_count', { simple: true }));
  database.connection.pragma(`max_page_count = ${pages + 2}`);
  const content = 'The quay is long. '.repeat(5_000);
  const long = { project_name: 'harbour', content_type: 'plan', content } as const;
  await expect(memory.ingest(long)).rejects.toMatchObject({ code: 'no_space' });
  expect((await memory.get([first.id])).map(({ id }) => id)).toEqual([first.id]);
  expect((await memory.search({ query: 'station 101', scope: 'all', limit: 5 })).results[0]?.id).toBe(first.id);
  database.connection.pragma('max_page_count = 1000000');
  const { id } = await memory.ingest(long);
  expect((await memory.get([id]))[0]?.content).toBe(content);
  await database.close();
});

it('refuses to go on when its file was taken away while it was open', async () => {
  const { database, memory } = await open();
  await ingest(memory, 1);
  await rm(file);
  await expect(ingest(memory, 2)).rejects.toMatchObject({ message: expect.stringContaining('moved, deleted') });
  await database.close();
});
