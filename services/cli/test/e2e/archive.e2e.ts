import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@contextloom/contracts';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { entryFile } from './running-stack.ts';

const SEARCHES = 60;
const PLACES = ['harbour', 'market', 'old town', '海边', '茶馆', 'museum', 'bridge'];

let folder: string;
const closing: (() => Promise<void>)[] = [];

/** Stores in a folder of their own: a composition, and servers over the same files to write and search with. */
interface Home {
  readonly cli: (
    ...args: string[]
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  readonly call: (server: string, tool: string, args: JsonObject) => Promise<JsonObject>;
}

async function openHome(name: string): Promise<Home> {
  const data = join(folder, name);
  const config = join(folder, `${name}.json`);
  const env = {
    LOG_LEVEL: 'error',
    MCP_CONFIG: config,
    KB_DATA_DIR: data,
    KB_MCP_SERVER: 'knowledge-base',
    MEMORY_PROCESSOR_DATA_DIR: data,
    DB_PATH: join(data, 'memory.db'),
    DEFAULT_USER_ID: 'ann',
    MEMORY_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const node = (service: string, ...args: string[]) => ({
    command: process.execPath,
    args: [entryFile(service), ...args],
    env,
    cwd: folder,
  });
  const servers = {
    'knowledge-base': node('knowledge-base'),
    'personal-memory': node('personal-memory', '--multi-user'),
    'typed-memory': node('typed-memory'),
  };
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: '0', log: silentLog });
  closing.push(() => upstreams.close());
  return {
    cli: (...args) =>
      new Promise((done) => {
        const script = resolve(entryFile('cli'), '../../bin/contextloom.js');
        const options = { cwd: folder, env: { ...process.env, LOG_LEVEL: 'error' } };
        execFile(process.execPath, [script, '--config', config, ...args], options, (error, stdout, stderr) => {
          done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
        });
      }),
    call: async (server, tool, args) => {
      const result = await upstreams.call(server, tool, args, { timeoutMs: 120_000 });
      if (result.kind !== 'ok') throw new Error(`${server} ${tool}: ${JSON.stringify(result)}`);
      return result.value.structured ?? {};
    },
  };
}

async function fill({ call }: Home, user_id: string): Promise<void> {
  const toText = (at: number): string =>
    `${user_id} went to the ${PLACES[at % PLACES.length]} on day ${at} and met ${['Ole', 'Ida', '小安'][at % 3]}`;
  const tags = ['memory'];
  const documents = Array.from({ length: 60 }, (_, at) => ({
    doc_id: `${user_id}-${at}`,
    content: toText(at),
    tags,
    metadata: { user_id, importance: at % 10, occurred_at: `2026-01-${10 + (at % 20)}` },
  }));
  await call('knowledge-base', 'add_documents', { documents });
  for (const name of ['Ole', 'Ida'])
    await call('personal-memory', 'create_entity', { user_id, entity_type: 'person', name });
  await call('personal-memory', 'delete_entity', { user_id, entity_id: 1 });
  for (let at = 0; at < 40; at += 1) {
    const event = { user_id, event_type: 'activity', description: toText(at + 100), related_entity_ids: [2] };
    await call('personal-memory', 'add_event', event);
  }
  for (const value of ['Leith', 'Bergen'])
    await call('personal-memory', 'update_profile', { user_id, key: 'city', value });
}

let before: Home;
let after: Home;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-archive-'));
  before = await openHome('before');
  after = await openHome('after');
  for (const user of ['ann', 'bob']) await fill(before, user);
  await before.call('typed-memory', 'memory_add', { content: 'I drink tea in the old town', memory_type: 'semantic' });
  const secret = { content: 'the gate opens with 4711', memory_type: 'knowledge_vault', context: 'garden gate' };
  await before.call('typed-memory', 'memory_add', secret);
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
  await rm(folder, { recursive: true, force: true });
});

/** Ids and order of what one user finds, over all stores. */
async function search({ call }: Home, user_id: string, count: number): Promise<readonly (readonly unknown[])[]> {
  const found: unknown[][] = [];
  const idsIn = (answer: JsonObject, list: string, id: string): unknown[] =>
    (answer[list] as JsonObject[]).map((one) => one[id]);
  for (let at = 0; at < count; at += 1) {
    const query = `who went to the ${PLACES[at % PLACES.length]} on day ${at} ${at % 2 === 0 ? '小安' : 'Ida'}`;
    const stores = [
      async () => {
        const args = { query, metadata_filter: { user_id }, top_k: 10 };
        return idsIn(await call('knowledge-base', 'search_documents', args), 'results', 'id');
      },
      async () => idsIn(await call('personal-memory', 'search_events', { user_id, query }), 'events', 'id'),
      async () => idsIn(await call('typed-memory', 'memory_search', { query }), 'memories', 'memory_id'),
    ];
    found.push((await stores[at % stores.length]?.()) ?? []);
  }
  return found;
}

it('lists who is there, and how much each store has', async () => {
  const { code, stdout } = await before.cli('users', '--json');
  expect(code).toBe(0);
  const { users, stores } = JSON.parse(stdout);
  expect(users.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['ann', 'bob']);
  expect(stores.map(({ server }: { server: string }) => server)).toEqual(['knowledge-base', 'personal-memory']);
  expect((await before.cli('users')).stdout).toMatch(/bob.*knowledge-base.*60 documents/);
}, 60_000);

it('gives the memories to other programs as notes and as lines, which an import reads again', async () => {
  const [notes, list] = [join(folder, 'notes.zip'), join(folder, 'ann.txt')];
  const zip = JSON.parse(
    (await before.cli('export', '--user', 'ann', '--out', notes, '--format', 'okf', '--json')).stdout,
  );
  const text = await before.cli('export', '--user', 'ann', '--out', list, '--format', 'list');
  expect(zip).toMatchObject({ not_asked: [] });
  expect(zip.memories).toBeGreaterThan(60);
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining(`Wrote ${zip.memories} memories into`) });
  const entries = unzipSync(await readFile(notes));
  const bodies = Object.entries(entries).map(([path, bytes]) => [path, Buffer.from(bytes).toString()] as const);
  expect(bodies).toHaveLength(zip.memories + 1);
  expect(entries['index.md']).toBeDefined();
  const lines = await readFile(list, 'utf8');
  for (const words of ['I drink tea in the old town', 'ann went to the 海边 on day 38 and met']) {
    expect(bodies.filter(([, body]) => body.includes(`\n\n${words}`))).toHaveLength(1);
    expect(lines).toContain(`] - ${words}`);
  }
  // Whom an event is about, and whom its words name, is linked to a note of their own.
  expect(bodies.filter(([path]) => path.startsWith('entity/')).map(([path]) => path)).toEqual(['entity/Ida.md']);
  const met = bodies.filter(
    ([, body]) => /\n\nann went to the .* met Ole\n$/u.test(body) && body.includes('type: "event"'),
  );
  expect(met.length).toBeGreaterThan(0);
  for (const [, body] of met) expect(body).toContain('\nabout: ["[[Ida]]"]\n');
  for (const told of [lines, ...bodies.map(([, body]) => body)]) expect(told).not.toMatch(/4711|\bbob\b/u);
  for (const file of [notes, list]) {
    const { stdout } = await after.cli('import', file, '--user', 'carl', '--dry-run', '--json');
    expect(JSON.stringify(JSON.parse(stdout))).toMatch(/"turns":\d+/u);
    expect(stdout).toMatch(file === notes ? /Open Knowledge Format|okf/u : /memories of ChatGPT|memory-lines/u);
  }
}, 120_000);

it('moves a user to an empty system, where the same searches find the same ids in the same order', async () => {
  const file = join(folder, 'ann.zip');
  const exported = await before.cli('export', '--user', 'ann', '--out', file);
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('knowledge-base') });
  expect((await readFile(file)).includes('Bergen')).toBe(false);
  const taken = JSON.parse((await after.cli('import', file, '--user', 'ann', '--json')).stdout).imported;
  expect(taken).toMatchObject([
    { user_id: 'ann', server: 'knowledge-base', imported: 62, known: 0, refused_count: 0 },
    { user_id: 'ann', server: 'personal-memory', known: 0, refused_count: 0 },
  ]);
  const found = await search(before, 'ann', SEARCHES);
  expect(found.filter(({ length }) => length > 0).length).toBeGreaterThan(SEARCHES / 2);
  expect(await search(after, 'ann', SEARCHES)).toEqual(found);
  const again = JSON.parse((await after.cli('import-archive', file, '--user', 'ann', '--json')).stdout).imported;
  expect(again).toMatchObject([{ imported: 0, known: 62 }, { imported: 0 }]);
  expect(JSON.parse((await after.cli('users', '--json')).stdout).users).toHaveLength(1);
}, 300_000);

it('refuses an archive for another user, and a damaged one with the name of the entry', async () => {
  const file = join(folder, 'again.zip');
  await before.cli('export', '--user', 'ann', '--out', file);
  const foreign = await after.cli('import', file, '--user', 'bob');
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('has nothing of "bob"; it has "ann"') });
  const bytes = await readFile(file);
  const at = bytes.indexOf('knowledge-base.jsonl') + 200;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(file, bytes);
  const damaged = await after.cli('import', file, '--user', 'ann');
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('users/1/knowledge-base.jsonl') });
}, 120_000);

it('backs up all users while they are served, and restores them', async () => {
  const file = join(folder, 'everybody.zip');
  const writing = fill(before, 'cleo');
  const [{ code }] = await Promise.all([before.cli('backup', file), writing]);
  expect(code).toBe(0);
  const restored = await after.cli('restore', file, '--json');
  expect(restored.code).toBe(0);
  const { users } = JSON.parse((await after.cli('users', '--json')).stdout);
  expect(users.map(({ user_id }: { user_id: string }) => user_id)).toEqual(expect.arrayContaining(['ann', 'bob']));
  expect(await search(after, 'bob', 30)).toEqual(await search(before, 'bob', 30));
}, 120_000);
