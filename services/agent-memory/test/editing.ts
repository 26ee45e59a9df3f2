import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isContextloomError } from '@contextloom/contracts';
import { expect } from '@jest/globals';
import { createFolder, DAY, dump, openTestMemory } from './support/memory.ts';

const editor = fileURLToPath(new URL('fixtures/editor.mjs', import.meta.url));

/** A person saves a log so many times while the agent writes into it: both survive, or the agent is told. */
export async function checkEditing(saves: number): Promise<void> {
  const folder = createFolder();
  folder.save(DAY, '# 2026-02-14\n\n## Notes\n');
  const opened = await openTestMemory(folder);
  let person: ChildProcess | undefined;
  try {
    person = fork(editor, [join(folder.workspace, DAY), String(saves)], { execArgv: [] });
    const ended = once(person, 'exit');
    const added: string[] = [];
    while (person.exitCode === null) {
      try {
        const { id } = await opened.memory.add({ content: `agent ${added.length}.`, session: 'owner' });
        added.push(id);
      } catch (error) {
        if (!(isContextloomError(error) && error.code === 'conflict')) throw error;
      }
      await sleep(5);
    }
    await ended;
    const text = folder.read(DAY);
    const missing = Array.from({ length: saves }, (_unused, n) => n).filter((n) => !text.includes(`person ${n}.`));
    expect({ missing, code: person.exitCode }).toEqual({ missing: [], code: 0 });
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((id) => !text.includes(id))).toEqual([]);
    await opened.memory.sync();
    const told = await dump(opened.memory);
    expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining(added));
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(told);
  } finally {
    person?.kill();
    await opened.memory.close();
    folder.remove();
  }
}
