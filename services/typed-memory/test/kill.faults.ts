import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { toRounds } from '@contextloom/testing/rounds';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startScriptedChat, toModelSettings } from './support/chat.ts';
import { built } from './support/knowledge-base.ts';

const ROUNDS = toRounds(1, 6);
const SECRET = 'Qw7!-harbour-gate';
const children: ChildProcess[] = [];
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const end of ends.splice(0).reverse()) await end();
});

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  readonly log: () => string;
}

/** Starts a service on a free port, or on the one given. */
async function start(path: string, args: readonly string[], env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [built(path), ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line);
      const { msg, url: address } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg === 'listening' && address !== undefined) resolve(new URL(address).origin);
    });
    reader.once('close', () => reject(new Error(`${path} ended before it listened: ${lines.join('\n')}`)));
  });
  return { url, child, log: () => lines.join('\n') };
}

async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function call(url: string, name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(args) };
  const response = await fetch(`${url}/tools/${name}`, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function readAllBytes(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

/** What was acknowledged, by its id: the words that it has to say. */
type Acknowledged = Map<string, string>;

const longText = (mark: string): string => `${'A page of the tide tables, 潮汐表。'.repeat(200)} ${mark}`;

/** Adds, core facts and chats until the other side is gone. */
async function writeUntilGone(url: string, round: number, acknowledged: Acknowledged, values: string[]): Promise<void> {
  const lane = async (work: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; ; n += 1) await work(n);
  };
  const add = async (content: string, memory_type: string, more: object = {}) => {
    const { memory_id: id } = await call(url, 'memory_add', { content, memory_type, ...more });
    acknowledged.set(String(id), content);
  };
  await Promise.allSettled([
    lane((n) => add(`灯塔 note ${round}.${n}`, 'semantic')),
    lane((n) => add(longText(`end of ${round}.${n}`), 'resource')),
    lane((n) => add(`${SECRET} ${round}.${n}`, 'knowledge_vault', { context: `门禁 ${round}.${n}` })),
    lane(async (n) => {
      const value = `Favourite pier: pier ${round}.${n}`;
      await call(url, 'memory_add', { content: value, memory_type: 'core' });
      values.push(value);
    }),
    lane(async (n) => {
      const { memory_updates: updates } = await call(url, 'memory_chat', { message: `chat ${round}.${n}` });
      for (const { memory_id, content } of updates as { memory_id: string; content: string }[]) {
        acknowledged.set(memory_id, content);
      }
    }),
  ]);
}

/** Every acknowledged memory is read whole by its id, and found; the secrets open. */
async function checkAll(url: string, acknowledged: Acknowledged): Promise<void> {
  for (const [id, content] of acknowledged) {
    const isSecret = content.startsWith(SECRET);
    const types = isSecret ? { memory_types: ['knowledge_vault'] } : {};
    const { memories } = await call(url, 'memory_search', { query: id, ...types });
    const shown = (await (await fetch(`${url}/resources/memories/${id}`)).json()) as { content: string };
    expect(memories).toMatchObject([isSecret ? { content, revealed: true } : { memory_id: id }]);
    if (isSecret) expect(shown.content).not.toContain(SECRET);
    else expect(shown.content).toBe(content);
  }
}

describe.each(['the server', 'the knowledge base', 'the key exchange'] as const)('when %s is killed', (victim) => {
  it('every acknowledged memory is there, whole, and no secret is in clear', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-memory-kill-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const endpoint = await startScriptedChat({
      keeps: ({ messages }) => {
        const { message } = JSON.parse(String(messages?.at(-1)?.content)) as { message: string };
        return [{ type: 'semantic', content: `The user said: ${message}`, context: null, importance: 5 }];
      },
    });
    ends.push(() => endpoint.close());
    const startBase = () => start('knowledge-base/dist/service.js', [], { KB_DATA_DIR: folder, KB_PORT: '0' });
    let base = await startBase();
    let keys: Record<string, string> = { MEMORY_VAULT_KEY: randomBytes(32).toString('base64') };
    const startServer = () => {
      const env = { ...toModelSettings(endpoint), DEFAULT_USER_ID: '林工', KB_URL: base.url, ...keys };
      return start('typed-memory/dist/server.js', ['--http', '0'], env);
    };
    const acknowledged: Acknowledged = new Map();
    const values: string[] = [];
    const logs: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startServer();
      const writing = writeUntilGone(server.url, round, acknowledged, values);
      const enough = acknowledged.size + values.length + 6 + 3 * round;
      while (acknowledged.size + values.length < enough || values.length === 0) await setTimeout(5);
      await kill(victim === 'the knowledge base' ? base : server);
      if (victim === 'the knowledge base') await kill(server);
      await writing;
      logs.push(server.log(), base.log());
      if (victim === 'the knowledge base') base = await startBase();
      if (victim === 'the key exchange') {
        const next = { MEMORY_VAULT_KEY: randomBytes(32).toString('base64') };
        const exchange = { ...next, MEMORY_VAULT_OLD_KEY: keys['MEMORY_VAULT_KEY'] ?? '' };
        const env = { PATH: process.env['PATH'], DEFAULT_USER_ID: '林工', KB_URL: base.url, ...exchange };
        const words = [built('typed-memory/dist/server.js'), '--rotate-vault-key'];
        const killed = spawn(process.execPath, words, { env, stdio: 'ignore' });
        children.push(killed);
        void setTimeout(700 + (360 / ROUNDS) * round).then(() => killed.kill('SIGKILL'));
        await once(killed, 'exit');
        // Half exchanged, all is read with both keys; the exchange goes on where it was.
        keys = exchange;
        const between = await startServer();
        await checkAll(between.url, acknowledged);
        await kill(between);
        const finished = spawn(process.execPath, words, { env, stdio: 'ignore' });
        children.push(finished);
        expect((await once(finished, 'exit'))[0]).toBe(0);
        keys = next;
      }
    }
    const last = await startServer();
    await checkAll(last.url, acknowledged);
    const { memories } = await call(last.url, 'memory_search', { query: 'Favourite pier', memory_types: ['core'] });
    const [fact, ...others] = memories as { content: string; previous?: { content: string }[] }[];
    expect(others).toEqual([]);
    // At most the value that was under way when the last round ended came after the last acknowledged one.
    const said = [fact?.content, ...(fact?.previous ?? []).map(({ content }) => content)];
    expect(said.slice(0, 2)).toContain(values.at(-1));
    await kill(last);
    await kill(base);
    const bytes = await readAllBytes(folder);
    for (const text of [bytes, ...logs]) expect(text.includes(SECRET)).toBe(false);
    expect(acknowledged.size).toBeGreaterThan(ROUNDS);
  }, 900_000);
});
