import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { startHttpGate } from '@contextloom/testing';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { built, createFolder, startKnowledgeBase } from '../support/knowledge-base.ts';
import { startProgram } from '../support/programs.ts';

const USER = 'kim';
/** More than two calls take. */
const PEOPLE = 1_100;

const ends: (() => Promise<unknown>)[] = [];
let folder = '';
let kbUrl = '';
let personalUrl = '';
let personal: Upstreams | undefined;

async function startPersonalMemory(): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [built('personal-memory/dist/server.js'), '--http', '0'], {
    env: {
      ...process.env,
      PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal'),
      MULTI_USER: 'true',
      AUTO_BACKUP: 'false',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  ends.push(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  if (child.stderr === null) throw new Error('personal memory has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url === undefined) continue;
    child.stderr.resume();
    return new URL(url).origin;
  }
  throw new Error('personal memory ended before it listened; is it built?');
}

beforeAll(async () => {
  const created = await createFolder();
  folder = created.path;
  const service = await startKnowledgeBase(join(folder, 'service'));
  kbUrl = service.url;
  personalUrl = await startPersonalMemory();
  personal = createUpstreams({
    servers: { 'personal-memory': { url: `${personalUrl}/mcp`, headers: {} } },
    log: silentLog,
    clientName: 'test',
    clientVersion: '0',
  });
  const { close } = personal;
  ends.push(close, service.stop, created.remove);
});
afterAll(async () => {
  for (const end of [...ends.slice(1), ...ends.slice(0, 1)]) await end();
});

/** What personal memory has of Kim. */
async function readCounts(): Promise<unknown> {
  const result = await personal?.call('personal-memory', 'forget_user', { user_id: USER }, { timeoutMs: 30_000 });
  if (result?.kind !== 'ok') throw new Error('personal memory does not answer');
  const erased = result.value.structured?.['erased'] as readonly { what: string; count: number }[];
  return Object.fromEntries(erased.filter(({ what }) => what !== 'counters').map(({ what, count }) => [what, count]));
}

async function writeGraph(): Promise<string> {
  const file = join(folder, 'memory.jsonl');
  const people = Array.from({ length: PEOPLE }, (_, at) => `Person ${at}`);
  const lines = [
    ...people.map((name) => ({ type: 'entity', name, entityType: 'person', observations: [`is called ${name}`] })),
    ...people.slice(1).map((from) => ({ type: 'relation', from, to: 'Person 0', relationType: 'knows' })),
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

async function start(words: readonly string[], memoryUrl: string) {
  const config = join(folder, 'mcp_config.json');
  await writeFile(config, JSON.stringify({ mcpServers: { 'personal-memory': { url: `${memoryUrl}/mcp` } } }));
  const env = { KB_URL: kbUrl, MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal') };
  return startProgram('import', ['--config', config, '--json', ...words], { cwd: folder, env });
}

describe('the graph of an import', () => {
  it('killed at its calls and imported again, is in personal memory once, and is taken back whole', async () => {
    const words = ['import', await writeGraph(), '--user', USER];
    let reached = 0;
    // The first POSTs shake hands; the others each bring a part.
    const calls = toRounds([3, 5], [3, 4, 5, 6]);
    for (const nth of calls) {
      const gate = await startHttpGate(personalUrl, { path: '/mcp', nth });
      const { child, ended } = await start(words, gate.url);
      const isReached = await Promise.race([gate.reached.then(() => true), ended.then(() => false)]);
      if (isReached) reached += 1;
      child.kill('SIGKILL');
      await ended;
      await gate.close();
    }
    expect(reached).toBeGreaterThan(calls.length / 2);
    const { code, stdout } = await (await start(words, personalUrl)).ended;
    expect(code).toBe(0);
    const { import: outcome } = JSON.parse(stdout) as { import: { id: string } };
    expect(await readCounts()).toMatchObject({ entities: PEOPLE, relations: PEOPLE - 1 });
    const undone = await (await start(['imports', 'undo', outcome.id], personalUrl)).ended;
    expect(JSON.parse(undone.stdout)).toMatchObject({
      graph: { removed: { entities: PEOPLE, observations: PEOPLE, relations: PEOPLE - 1 }, kept: [] },
    });
    expect(await readCounts()).toEqual({});
  });
});
