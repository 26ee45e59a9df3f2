import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;

/** No process has this number. */
const GONE = 999_999_999;
const IDS = '0bd52b5c-5d0f-4b6e-9a55-0d3f5f0f2a11-7c9e6679-7425-40de-944b-e07fc1f90ae7';
/** The name that a write of this version gives, or of one before it. */
const toAside = (writer: number, kind: 'new' | 'old', mark = 'contextloom-') =>
  join(folder.workspace, `memory/.2026-02-14.md.${mark}${writer}-${IDS}.${kind}`);
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
    ['by a process that is gone', GONE, 'contextloom-'],
    ['by one that had the number of this one, as in containers', process.pid, 'contextloom-'],
    ['by the version before', GONE, ''],
  ])('%s is put back, and what was not in place is removed', async (_name, writer, mark) => {
    renameSync(join(folder.workspace, DAY), toAside(writer, 'old', mark));
    writeFileSync(toAside(writer, 'new', mark), 'half');
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

describe('files of a person that look as if they were put aside', () => {
  const others = [
    '.env.2025-01-01.new',
    '.env.2025-01-01.old',
    '.2026-02-14.md.2025-01-01.old',
    '.notes.md.1-a.new',
    `.env.contextloom-${GONE}-${IDS}.new`,
    `.notes.md.contextloom-${GONE}-${IDS}.old`,
  ];

  it('stay what they are', async () => {
    const paths = others.flatMap((name) => [name, `memory/${name}`, `memory/archive/${name}`]);
    for (const path of paths) folder.save(path, 'mine');
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    await opened.memory.add({ content: '新的', session: 'owner' });
    for (const path of paths) expect(folder.tryRead(path)).toBe('mine');
  });

  it('are not touched outside of the workspace, whatever link leads there', async () => {
    const outside = join(folder.root, 'outside');
    const left = `.2026-03-01.md.contextloom-${GONE}-${IDS}`;
    mkdirSync(outside);
    for (const kind of ['old', 'new']) writeFileSync(join(outside, `${left}.${kind}`), kind);
    renameSync(join(folder.workspace, 'memory'), join(folder.root, 'moved'));
    symlinkSync(outside, join(folder.workspace, 'memory'));
    for (const kind of ['old', 'new']) {
      symlinkSync(
        join(outside, `${left}.${kind}`),
        join(folder.workspace, `.OWNER.md.contextloom-${GONE}-${IDS}.${kind}`),
      );
    }
    opened = await openTestMemory(folder, { now: '2026-03-01T12:00:00.000Z' });
    await opened.memory.sync();
    await expect(opened.memory.add({ content: 'x', session: 'owner' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(opened.workspace.write('memory/archive/2026-03-01.md', undefined, 'x')).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(readdirSync(outside).sort()).toEqual([`${left}.new`, `${left}.old`]);
    expect(readFileSync(join(outside, `${left}.old`), 'utf8')).toBe('old');
    expect(folder.read('OWNER.md')).toBe(seedFiles['OWNER.md']);
  });

  it('are not followed where a text is to be put back', async () => {
    const secret = join(folder.root, 'secret.md');
    writeFileSync(secret, 'secret');
    renameSync(join(folder.workspace, DAY), toAside(GONE, 'old'));
    writeFileSync(toAside(GONE, 'new'), 'half');
    symlinkSync(secret, join(folder.workspace, DAY));
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    expect(readFileSync(secret, 'utf8')).toBe('secret');
    const [kept = ''] = readdirSync(join(folder.workspace, 'memory')).filter((name) => name.includes('.recovered-'));
    expect(folder.read(`memory/${kept}`)).toBe(seedFiles[DAY]);
  });
});

describe('a daily log that is no file', () => {
  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a link to nothing', (path: string) => symlinkSync('none.md', path)],
  ])('is told of and not waited for: %s', async (_name, make) => {
    if (platform() === 'win32') return;
    unlinkSync(join(folder.workspace, DAY));
    make(join(folder.workspace, DAY));
    opened = await openTestMemory(folder);
    await opened.memory.sync();
    expect((await opened.memory.daily('2026-02-13')).items.length).toBe(1);
    await expect(opened.memory.add({ content: '新的', session: 'owner' })).rejects.toMatchObject({
      message: expect.stringContaining(DAY),
    });
    expect(lstatSync(join(folder.workspace, DAY)).isFile()).toBe(false);
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
