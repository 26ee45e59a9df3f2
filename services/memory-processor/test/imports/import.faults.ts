import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { startHttpGate } from '@contextloom/testing';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpMemoryStore } from '../../src/open-memory-store.ts';
import { createFolder, type RunningKnowledgeBase, startKnowledgeBase } from '../support/knowledge-base.ts';
import { startProgram } from '../support/programs.ts';

const ends: (() => Promise<void>)[] = [];
let service: RunningKnowledgeBase | undefined;
let folder = '';

beforeAll(async () => {
  const created = await createFolder();
  folder = created.path;
  service = await startKnowledgeBase(join(folder, 'service'));
  ends.push(service.stop, created.remove);
});

afterAll(async () => {
  for (const end of ends) await end();
});

const kbUrl = (): string => service?.url ?? '';
const start = (words: readonly string[], url: string) =>
  startProgram('import', words, {
    cwd: folder,
    env: { KB_URL: url, MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal') },
  });

const CONVERSATIONS = 40;
const KILLS = toRounds(3, 10);

async function writeExport(): Promise<string> {
  const lines = Array.from({ length: CONVERSATIONS }, (_, at) =>
    JSON.stringify({
      id: `c${at}`,
      messages: [
        { role: 'user', content: `I moved to town ${at}.` },
        { role: 'assistant', content: 'Noted.' },
      ],
      date: '2024-03-05',
    }),
  );
  const file = join(folder, 'export.jsonl');
  await writeFile(file, lines.join('\n'));
  return file;
}

describe('an import', () => {
  it(`killed at ${KILLS} moments and run again, saves every conversation once, and is taken back whole`, async () => {
    const file = await writeExport();
    const words = ['import', file, '--user', 'kim', '--json'];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const gate = await startHttpGate(kbUrl(), { path: '/batch_add', nth: 1 + (kill % 3) });
      const { child, ended } = start(words, gate.url);
      await gate.reached;
      child.kill('SIGKILL');
      await ended;
      await gate.close();
    }
    const { code, stdout } = await start(words, kbUrl()).ended;
    expect(code).toBe(0);
    const { import: outcome } = JSON.parse(stdout) as { import: { id: string } };
    expect(outcome).toMatchObject({ conversations: CONVERSATIONS, failed: 0, stopped: false });
    const store = createHttpMemoryStore({ url: kbUrl(), log: silentLog });
    expect(await store.listImported('kim', outcome.id)).toHaveLength(CONVERSATIONS);
    const listed = JSON.parse((await start(['imports', '--json'], kbUrl()).ended).stdout);
    expect(listed.imports).toMatchObject([
      { id: outcome.id, state: 'done', conversations: CONVERSATIONS, saved: CONVERSATIONS, failed: 0 },
    ]);
    await start(['imports', 'undo', outcome.id], kbUrl()).ended;
    expect(await store.listImported('kim', outcome.id)).toEqual([]);
  });

  it('is refused to a second process while one works on it, and goes on undisturbed', async () => {
    const file = await writeExport();
    const words = ['import', file, '--user', 'mia', '--json'];
    const gate = await startHttpGate(kbUrl(), { path: '/batch_add', nth: 1 });
    const first = start(words, gate.url);
    await gate.reached;
    const second = await start(words, kbUrl()).ended;
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('is under way in another process') },
    });
    gate.open();
    const { code, stdout } = await first.ended;
    await gate.close();
    expect([code, JSON.parse(stdout).import.saved]).toEqual([0, CONVERSATIONS]);
    const again = await start(words, kbUrl()).ended;
    expect(JSON.parse(again.stdout).import).toMatchObject({ saved: 0, nothing: CONVERSATIONS });
  });
});
