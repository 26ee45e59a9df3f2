import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isContextloomError } from '@contextloom/contracts';
import { expect } from '@jest/globals';
import type { AgentMemory } from '../src/domain/agent-memory.ts';
import { createFolder, DAY, dump, openTestMemory } from './support/memory.ts';

const editor = fileURLToPath(new URL('fixtures/editor.mjs', import.meta.url));

/** The agent adds entries, and changes or deletes some of its own. */
async function work(memory: AgentMemory, n: number, known: Map<string, string>): Promise<void> {
  const session = 'owner';
  const own = [...known.keys()].at(n % Math.max(1, known.size));
  if (n % 4 === 1 && own !== undefined) {
    await memory.update(own, { content: `agent ${n}, changed.`, session });
    known.set(own, `agent ${n}, changed.`);
  } else {
    const { id } = await memory.add({ content: `agent ${n}.`, session });
    known.set(id, `agent ${n}.`);
  }
}

/** A person saves a log so many times while the agent writes into it: both survive, or the agent is told. */
export async function checkEditing(saves: number): Promise<void> {
  const folder = createFolder();
  folder.save(DAY, '# 2026-02-14\n\n## Notes\n');
  const opened = await openTestMemory(folder);
  let person: ChildProcess | undefined;
  try {
    person = fork(editor, [join(folder.workspace, DAY), String(saves)], { execArgv: [] });
    const ended = once(person, 'exit');
    const known = new Map<string, string>();
    for (let n = 0; person.exitCode === null; n += 1) {
      await work(opened.memory, n, known).catch((error: unknown) => {
        // The second is told, and nothing was written.
        if (!(isContextloomError(error) && error.code === 'conflict')) throw error;
      });
      await sleep(Math.random() * 150); // Otherwise the person would never come to save what is still the same.
    }
    await ended;
    const text = folder.read(DAY);
    const missing = Array.from({ length: saves }, (_unused, n) => n).filter((n) => !text.includes(`person ${n}.`));
    expect({ missing, code: person.exitCode }).toEqual({ missing: [], code: 0 });
    expect(known.size).toBeGreaterThan(0);
    await opened.memory.sync();
    const told = await dump(opened.memory);
    // What the person wrote after the last entry, or into it, became part of it.
    const said = new Map(told.map(({ id, content }) => [id, content.split('\n')[0]]));
    expect([...known].filter(([id, content]) => said.get(id) !== content)).toEqual([]);
    await opened.memory.rebuild();
    expect(await dump(opened.memory)).toEqual(told);
  } finally {
    person?.kill();
    await opened.memory.close();
    folder.remove();
  }
}
