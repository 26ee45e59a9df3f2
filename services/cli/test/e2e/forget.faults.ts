import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ForgetEverywhereAnswer, forgetEverywhereAnswerSchema, type JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { findBytes } from '@contextloom/testing/find-bytes';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entryFile } from './running-stack.ts';

const USERS = toRounds(40, 200);
const FORGOTTEN = USERS / 10;
/** Those who write while others are forgotten; the rest are asked the same before and after. */
const WRITERS_FROM = USERS * 0.6;
/** Those with a typed memory. */
const TYPED: readonly number[] = [0, USERS / 4];
const isForgotten = (n: number): boolean => n < FORGOTTEN;
/** Stands in everything of those who are forgotten, and nowhere else. */
const SECRETS = ['leaving-user-', 'Zanzibar', '桑给巴尔的老茶馆'];
const nameOf = (n: number): string => `${isForgotten(n) ? 'leaving-user-' : 'staying-user-'}${n}`;
const placeOf = (n: number): string => (isForgotten(n) ? 'Zanzibar, 桑给巴尔的老茶馆' : 'Bergen, 海边的茶馆');

let folder: string;
let config: string;
let upstreams: ReturnType<typeof createUpstreams>;

/** Every server runs twice: once behind the aggregator, and once for the writes of this test. */
function toServers() {
  const data = join(folder, 'data');
  const env = {
    LOG_LEVEL: 'error',
    MCP_CONFIG: config,
    KB_DATA_DIR: data,
    KB_MCP_SERVER: 'knowledge-base',
    MEMORY_PROCESSOR_DATA_DIR: data,
    DB_PATH: join(data, 'memory.db'),
    MEMORY_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const node = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [entryFile(name), ...args],
    env,
    cwd: folder,
  });
  /** A typed memory is one user's. */
  const typed = (n: number) => ({ ...node('typed-memory'), env: { ...env, DEFAULT_USER_ID: nameOf(n) } });
  const composed = {
    'persona-marlow': node('persona', '--persona', 'marlow'),
    'knowledge-base': node('knowledge-base'),
    'memory-processor': node('memory-processor'),
    'personal-memory': node('personal-memory', '--multi-user'),
  };
  const typedServers = TYPED.map((n) => [`typed-memory-${n}`, typed(n)] as const);
  return { composed, written: { ...composed, ...Object.fromEntries(typedServers) } };
}

async function call(server: string, tool: string, args: JsonObject): Promise<JsonObject> {
  const result = await upstreams.call(server, tool, args, { timeoutMs: 120_000 });
  if (result.kind !== 'ok') throw new Error(`${server} ${tool}: ${JSON.stringify(result)}`);
  return result.value.structured ?? {};
}

async function fill(n: number): Promise<void> {
  const [user_id, place] = [nameOf(n), placeOf(n)];
  const tags = ['memory'];
  const documents = [1, 2, 3].map((at) => ({ content: `Walk ${at} in ${place}`, tags, metadata: { user_id } }));
  await call('knowledge-base', 'add_documents', { documents });
  await call('personal-memory', 'add_event', { user_id, event_type: 'activity', description: `Tea in ${place}` });
  await call('personal-memory', 'update_profile', { user_id, key: 'place', value: place });
  if (TYPED.includes(n)) {
    const content = `My password for ${place} is tea-${n}`;
    await call(`typed-memory-${n}`, 'memory_add', { content, memory_type: 'knowledge_vault', context: place });
    await call(`typed-memory-${n}`, 'memory_add', { content: `I drink tea in ${place}` });
  }
  if (n % 5 === 0) {
    const conversation_history = `User: I moved to ${place} last week.\nAssistant: How is the tea?`;
    await call('memory-processor', 'process_transcript', { user_id, conversation_history });
  }
}

/** What one user finds in each store. */
async function findingsOf(n: number): Promise<readonly JsonObject[]> {
  const user_id = nameOf(n);
  const query = 'tea and walks in Bergen';
  return [
    await call('knowledge-base', 'search_documents', { query, metadata_filter: { user_id }, top_k: 20 }),
    await call('personal-memory', 'search_events', { user_id, query }),
    await call('personal-memory', 'query_profile', { user_id }),
    ...(TYPED.includes(n) ? [await call(`typed-memory-${n}`, 'memory_search', { query })] : []),
  ];
}

const forget = async (n: number, dry_run: boolean): Promise<ForgetEverywhereAnswer> =>
  forgetEverywhereAnswerSchema.parse(await call('aggregator', 'forget_user', { user_id: nameOf(n), dry_run }));

const runCli = (...args: string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string }>((done) => {
    const script = resolve(entryFile('cli'), '../../bin/contextloom.js');
    // What hooks keep on the machine of whoever runs the tests is none of theirs.
    const env = { ...process.env, CONTEXTLOOM_HOOKS_DIR: join(folder, 'hooks') };
    execFile(process.execPath, [script, '--config', config, ...args], { cwd: folder, env }, (error, stdout) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout });
    });
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-forget-'));
  config = join(folder, 'mcp_config.json');
  const { composed, written } = toServers();
  const aggregator = { source_deadline_ms: 200_000, store_deadline_ms: 200_000 };
  await writeFile(config, JSON.stringify({ mcpServers: composed, aggregator }));
  const args = [entryFile('context-aggregator'), '--config', config];
  const own = { command: process.execPath, args, env: { LOG_LEVEL: 'error', MCP_CONFIG: config } };
  upstreams = createUpstreams({
    servers: { ...written, aggregator: { ...own, cwd: folder } },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
  });
  for (let n = 0; n < USERS; n += 1) await fill(n);
}, 300_000);

afterAll(async () => {
  await upstreams.close();
  await rm(folder, { recursive: true, force: true });
});

describe(`${FORGOTTEN} of ${USERS} users who are forgotten`, () => {
  it('leave no byte in any file, while others write, and nobody else finds less', async () => {
    const others = [FORGOTTEN, FORGOTTEN + 1, USERS / 4, USERS / 4 + 5, WRITERS_FROM - 1];
    const before = await Promise.all(others.map(findingsOf));
    expect(new Set(findBytes(join(folder, 'data'), SECRETS).map(({ text }) => text))).toEqual(new Set(SECRETS));
    let isDone = false;
    let written = 0;
    const writeOn = async (): Promise<void> => {
      for (; !isDone; written += 1) await fill(WRITERS_FROM + (written % (USERS - WRITERS_FROM)));
    };
    const writing = writeOn();
    for (let n = 0; n < FORGOTTEN; n += 1) {
      const planned = await forget(n, true);
      expect(planned.total).toBeGreaterThanOrEqual(3 + 2 + 1);
      // A backup that was made in between has the user too, and is erased as well.
      const erased = await forget(n, false);
      expect(erased.unreached).toEqual([]);
      expect(erased.total).toBeGreaterThanOrEqual(planned.total);
    }
    isDone = true;
    await writing;
    expect(written).toBeGreaterThan(0);
    expect(findBytes(join(folder, 'data'), SECRETS)).toEqual([]);
    expect(await Promise.all(others.map(findingsOf))).toEqual(before);
    expect(await forget(0, false)).toMatchObject({ total: 0, unreached: [] });
  }, 300_000);

  it('are counted and erased by the command too', async () => {
    const user = nameOf(FORGOTTEN);
    const planned = await runCli('forget', '--user', user);
    expect(planned.stdout).toMatch(/knowledge-base +│ documents +│ \d/);
    expect(planned.stdout).toContain('Nothing was erased');
    const erased = await runCli('forget', '--user', user, '--yes');
    expect(erased).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Erased \d+ of .*\nreceipt: user [0-9a-f]{64}/),
    });
    const again = await runCli('forget', '--user', user, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ total: 0, unreached: [] });
    expect(findBytes(join(folder, 'data'), [user])).toEqual([]);
  }, 120_000);
});
