import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { acquireFileLock } from '../src/files/file-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const DAY_MS = 86_400_000;

it.each([
  ['an old one', -DAY_MS],
  ['one that a wrong clock dated ahead', 2 * DAY_MS],
])(
  'takes over the lock of a process that was killed: %s',
  async (_name, ahead) => {
    const file = join(folder, 'keys.json.lock');
    await writeFile(file, '');
    const at = new Date(Date.now() + ahead);
    await utimes(file, at, at);
    const release = await acquireFileLock(file);
    await release();
    expect(await readdir(folder)).toEqual([]);
  },
  60_000,
);

it('waits for one that is held', async () => {
  const file = join(folder, 'keys.json.lock');
  const release = await acquireFileLock(file);
  const waiting = acquireFileLock(file);
  await release();
  await (await waiting)();
  expect(await readdir(folder)).toEqual([]);
});
