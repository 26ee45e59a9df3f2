import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { startHttpGate } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpMemoryStore } from '../src/open-memory-store.ts';
import { createFolder, type RunningKnowledgeBase, startKnowledgeBase } from './support/knowledge-base.ts';
import { startProgram } from './support/programs.ts';
import { writeConversations } from './support/series.ts';

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

const start = (file: string, user: string, url: string, ...words: readonly string[]) =>
  startProgram('import', ['import', file, '--user', user, '--yes', ...words], {
    cwd: folder,
    env: { KB_URL: url, MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal') },
  });

describe('an import', () => {
  it('killed half-way and run again, keeps every window once', async () => {
    const file = await writeConversations(folder, 'killed', 1, 400);
    const gate = await startHttpGate(kbUrl(), { path: '/batch_add', nth: 2 });
    const { child, ended } = start(file, 'kim', gate.url);
    await gate.reached;
    child.kill('SIGKILL');
    await ended;
    await gate.close();
    const store = createHttpMemoryStore({ url: kbUrl(), log: silentLog });
    const kept = (await store.listRecorded('kim', 'killed-0')).size;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(400);
    const { code, stdout } = await start(file, 'kim', kbUrl(), '--json').ended;
    // What the first run had saved came of this import as well.
    expect([code, JSON.parse(stdout).import]).toMatchObject([0, { pieces: 400, known_pieces: kept, saved: 400 }]);
    expect((await store.listRecorded('kim', 'killed-0')).size).toBe(400);
  });

  it('told to stop, ends after the batch under way and says how to go on', async () => {
    const file = await writeConversations(folder, 'stopped', 12, 6);
    const gate = await startHttpGate(kbUrl(), { path: '/batch_add', nth: 2 });
    const { child, ended } = start(file, 'sam', gate.url);
    await gate.reached;
    child.kill('SIGINT');
    gate.open();
    const { code, stdout } = await ended;
    await gate.close();
    expect(code).toBe(1);
    expect(stdout).toContain('Stopped before the end: the same command goes on from there.');
  });
});
