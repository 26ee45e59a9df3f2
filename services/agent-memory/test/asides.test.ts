import { chmodSync, linkSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

/** No process has this number. */
const GONE = 999_999_999;
const toAside = (writer: number, kind: 'new' | 'old') =>
  join(folder.workspace, `memory/.2026-02-14.md.${writer}-aa.${kind}`);
const listHidden = () => readdirSync(join(folder.workspace, 'memory')).filter((name) => name.startsWith('.'));
const withoutMarks = (text: string) => text.replace(/<!-- id: .*?-->\r?\n/g, '');
const isSeed = () => expect(withoutMarks(folder.read(DAY))).toBe(seedFiles[DAY]);

beforeEach(() => {
  folder = createFolder();
  saveSeed(folder.save);
});
afterEach(async () => {
  await opened.memory.close();
  folder.remove();
});

describe('what a killed write left aside', () => {
  it.each([
    ['by a process that is gone', GONE],
    ['by one that had the number of this one, as in containers', process.pid],
  ])('%s is put back, and what was not in place is removed', async (_name, writer) => {
    renameSync(join(folder.workspace, DAY), toAside(writer, 'old'));
    writeFileSync(toAside(writer, 'new'), 'half');
    opened = await openTestMemory(folder);
    expect((await opened.memory.daily('2026-02-14')).items.length).toBe(2);
    expect(listHidden()).toEqual([]);
    isSeed();
  });

  it('is removed when the new text was put in place', async () => {
    writeFileSync(toAside(GONE, 'old'), 'what there was before');
    linkSync(join(folder.workspace, DAY), toAside(GONE, 'new'));
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    expect(listHidden()).toEqual([]);
    isSeed();
  });

  it('is kept under a name of its own when somebody wrote another file in its place', async () => {
    const old = '### 08:00 - 手动\n只在这里\n';
    writeFileSync(toAside(GONE, 'old'), old);
    writeFileSync(toAside(GONE, 'new'), `${old}more\n`);
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    isSeed();
    const [kept = ''] = readdirSync(join(folder.workspace, 'memory')).filter((name) => name.includes('.recovered-'));
    expect(kept).toMatch(/^2026-02-14\.recovered-[\da-f]{8}\.md$/);
    expect(folder.read(`memory/${kept}`)).toBe(old);
    expect(listHidden()).toEqual([]);
  });
});

describe('a file that another process has aside at this moment', () => {
  it('is waited for, not begun again', async () => {
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    const [there, aside] = [join(folder.workspace, DAY), toAside(process.ppid, 'old')];
    renameSync(there, aside);
    const adding = opened.memory.add({ content: '新的', session: 'owner' });
    const reading = opened.memory.readFile(DAY, 'owner');
    setTimeout(() => renameSync(aside, there), 50);
    const { id } = await adding;
    expect(await reading).toContain('最终选择 SQLite');
    expect(folder.read(DAY)).toContain('最终选择 SQLite');
    expect(folder.read(DAY)).toContain(id);
  });
});

describe('a file that is written', () => {
  it('stays as private as it was', async () => {
    chmodSync(join(folder.workspace, DAY), 0o600);
    opened = await openTestMemory(folder);
    await opened.memory.add({ content: '新的', session: 'owner' });
    expect(statSync(join(folder.workspace, DAY)).mode & 0o777).toBe(0o600);
    unlinkSync(join(folder.workspace, DAY));
    await opened.memory.add({ content: '又一个', session: 'owner' });
    expect(folder.read(DAY)).toContain('又一个');
  });
});
