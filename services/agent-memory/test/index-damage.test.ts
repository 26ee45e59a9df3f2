import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFolder, DAY, dump, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

const listAside = () =>
  readdirSync(dirname(folder.index)).filter((name) => /^index\.sqlite\.damaged-[-\dTZ.]+$/.test(name));
/** Everything but the header of the database. */
function overwrite(from: number): void {
  const file = openSync(folder.index, 'r+');
  writeSync(file, Buffer.alloc(statSync(folder.index).size - from, 0xff), 0, undefined, from);
  closeSync(file);
}
/** Calls until the index has been made again; the call that meets the damage may be told of it. */
async function search(query: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await opened.memory.search({ query, limit: 10, session: 'owner' });
    } catch (error) {
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('made again from the files'),
      });
      if (tries === 3) throw error;
    }
  }
}

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  opened = await openTestMemory(folder);
  await opened.memory.sync();
});
afterEach(async () => {
  await opened.memory.close();
  folder.remove();
});

describe('a damaged index', () => {
  it.each([
    ['is no database any more', () => writeFileSync(folder.index, 'nonsense '.repeat(1_000))],
    ['has no more than its header', () => overwrite(100)],
    ['has no more than its first page', () => overwrite(4_096)],
    ['was cut in half', () => truncateSync(folder.index, statSync(folder.index).size / 2)],
  ])('is set aside and made again from the files, with the same ids: it %s', async (_name, damage) => {
    const before = await dump(opened.memory);
    await opened.memory.close();
    damage();
    const damaged = readFileSync(folder.index);
    opened = await openTestMemory(folder);
    expect((await search('前端框架')).items[0]?.entry.content).toBe('用户决定使用 React 作为前端框架');
    expect(await dump(opened.memory)).toEqual(before);
    expect(listAside()).toHaveLength(1);
    expect(readFileSync(`${dirname(folder.index)}/${listAside()[0]}`).equals(damaged)).toBe(true);
    await opened.memory.add({ content: '新的', session: 'owner' });
    expect(folder.read(DAY)).toContain('新的');
  });

  it('is made again while the server runs, when its file is gone or another', async () => {
    const before = await dump(opened.memory);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${folder.index}${suffix}`, { force: true });
    const { id } = await opened.memory.add({ content: '第七条记忆', session: 'owner' });
    expect((await search('第七条记忆')).items[0]?.entry.id).toBe(id);
    expect((await dump(opened.memory)).filter((entry) => entry.id !== id)).toEqual(before);
    expect(listAside()).toEqual([]);
  });

  it('of two processes is set aside once', async () => {
    const before = await dump(opened.memory);
    await opened.memory.close();
    writeFileSync(folder.index, 'nonsense '.repeat(1_000));
    opened = await openTestMemory(folder);
    const other = await openTestMemory(folder);
    expect(await dump(other.memory)).toEqual(before);
    expect(await dump(opened.memory)).toEqual(before);
    await other.memory.close();
    expect(listAside()).toHaveLength(1);
  });
});
