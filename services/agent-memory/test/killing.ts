import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { createFolder, DAY, dump, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

const writer = fileURLToPath(new URL('fixtures/killed-writer.mjs', import.meta.url));

/** A change of the seed's workspace. */
export const changes = ['add', 'add to MEMORY.md', 'update', 'delete'] as const;
type Change = (typeof changes)[number];

interface Ending {
  readonly isKilled: boolean;
  readonly isAcknowledged: boolean;
}

function runWriter({ workspace, root }: Folder, change: Change, killAt: number | 'index'): Promise<Ending> {
  const args = [writer, workspace, join(root, 'data-of-the-killed'), change, String(killAt)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      const isKilled = error?.signal === 'SIGKILL';
      if (error !== null && !isKilled) reject(new Error(stderr));
      else resolve({ isKilled, isAcknowledged: stdout === 'acknowledged' });
    });
  });
}

const FIRST = '用户决定使用 React 作为前端框架';
const withoutMarks = (text: string) => text.replace(/<!-- id: .*?-->\r?\n/g, '');
const path = (change: Change) => (change === 'add to MEMORY.md' ? 'MEMORY.md' : DAY);

/** What the file may say after the change, without ids. */
function toChanged(change: Change): string {
  const before = seedFiles[path(change)];
  if (change === 'add') return `${before}\n### 12:00 - 手动\n加上的\n`;
  if (change === 'add to MEMORY.md') return `${before}\n### 2026-02-14\n加上的\n`;
  if (change === 'update') return before.replace(FIRST, '改过的');
  return before.replace(`### 10:30 - 决策\n${FIRST}\n\n`, '');
}

/** Kills a writer before a step, and looks at what the next start makes of it. */
async function killOnce(change: Change, killAt: number | 'index'): Promise<Ending> {
  const folder = createFolder();
  saveSeed(folder.save);
  try {
    const ending = await runWriter(folder, change, killAt);
    const opened = await openTestMemory(folder);
    try {
      await opened.memory.sync();
      const text = withoutMarks(folder.read(path(change)));
      const isChanged = text === toChanged(change);
      // All of it or nothing, and what was acknowledged is there.
      expect({ killAt, text: isChanged || text === seedFiles[path(change)] ? 'whole' : text }).toEqual({
        killAt,
        text: 'whole',
      });
      if (ending.isAcknowledged || killAt === 'index') expect(isChanged).toBe(true);
      for (const inside of ['', 'memory']) {
        const names = readdirSync(join(folder.workspace, inside));
        expect(names.filter((name) => name.startsWith('.') || name.includes('recovered'))).toEqual([]);
      }
      const told = await dump(opened.memory);
      expect(told.length).toBe(isChanged ? { add: 7, 'add to MEMORY.md': 7, update: 6, delete: 5 }[change] : 6);
      await opened.memory.rebuild();
      expect(await dump(opened.memory)).toEqual(told);
    } finally {
      await opened.memory.close();
    }
    return ending;
  } finally {
    folder.remove();
  }
}

/** Kills a writer when its file is written and its index is not. */
export async function killBetweenFileAndIndex(change: Change): Promise<void> {
  expect(await killOnce(change, 'index')).toEqual({ isKilled: true, isAcknowledged: false });
}

/** Kills a writer before each step of its change, or each so many, until one comes through. @returns how many steps there are at least */
export async function killAtSteps(change: Change, each: number): Promise<number> {
  for (let killAt = 0; ; killAt += each) {
    if (!(await killOnce(change, killAt)).isKilled) return killAt;
  }
}
