import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Access, accessSettings, localPrincipal, openAccess, type Principal } from '@contextloom/access';
import { createCallTimes, createUpstreams } from '@contextloom/mcp-client';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { connectInMemory, type TestClient, tryAuthorization } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createChatServers } from '../src/build-chat-server.ts';
import { createOperationDeps } from '../src/build-server.ts';
import { loadAggregatorConfig } from '../src/config.ts';
import { serverOperations } from '../src/operations/index.ts';
import { writeComposition } from './support/composition.ts';
import { barePersona } from './support/scripts.ts';

const deadlines = { sourceMs: 200_000, storeMs: 200_000 };
const annOnly: Principal = { name: 'key ann', users: ['ann'], projects: [], scopes: ['read', 'write', 'admin'] };
const writer: Principal = { ...localPrincipal, name: 'key app', scopes: ['read', 'write'] };

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-access-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

const toKeysFile = () => join(folder, 'keys.json');

function open(): Access {
  const config = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: toKeysFile() }).values;
  return openAccess({ config, server: 'context-aggregator', clock: () => new Date(), log: silentLog });
}

function createWhole(options: Partial<Parameters<typeof createOperationDeps>[0]>) {
  const upstreams = createUpstreams({ servers: {}, log: silentLog, clientName: 'test', clientVersion: '0' });
  const deps = createOperationDeps({ upstreams, toSettings: () => ({ deadlines }), log: silentLog, ...options });
  return createChatServers({ deps, toServers: () => [], zone: 'UTC', version: '0' }).whole;
}

async function connect(
  options: Partial<Parameters<typeof createOperationDeps>[0]>,
  principal?: Principal,
): Promise<TestClient> {
  const client = await connectInMemory(createWhole(options), principal);
  closing.push(client.close);
  return client;
}

describe('keys', () => {
  it('are made, shown without their text, and taken away', async () => {
    const access = open();
    const client = await connect({ access });
    expect((await client.callTool('list_keys')).structured).toEqual({ asked: false, keys: [] });
    const args = { name: 'ann-phone', users: ['ann'], expires_in_days: 30 };
    const { structured } = await client.callTool('add_key', args);
    const { key } = structured as { readonly key: string };
    expect(await access.guard.identify(`Bearer ${key}`)).toMatchObject({ name: 'key ann-phone', users: ['ann'] });
    const listed = await client.callTool('list_keys');
    const shown = { name: 'ann-phone', users: ['ann'], projects: [], scopes: ['read', 'write'], is_expired: false };
    expect(listed.structured).toMatchObject({ asked: true, keys: [shown] });
    const { hash } = JSON.parse(await readFile(toKeysFile(), 'utf8')).keys[0];
    expect(listed.text).not.toContain(key);
    expect(listed.text).not.toContain(hash);
    await client.callTool('revoke_key', { name: 'ann-phone' });
    await expect(access.guard.identify(`Bearer ${key}`)).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await client.callTool('list_keys')).structured).toEqual({ asked: true, keys: [] });
  });

  it('are refused by name where a name is taken, impossible or unknown', async () => {
    const client = await connect({ access: open() });
    await client.callTool('add_key', { name: 'app' });
    expect(await client.codeOf('add_key', { name: 'app' })).toBe('conflict');
    expect((await client.callTool('add_key', { name: '<b>x</b>' })).text).toContain('letters, digits');
    expect(await client.codeOf('add_key', { name: 'x', users: [] })).toBe('invalid');
    expect(await client.codeOf('revoke_key', { name: 'nobody' })).toBe('not_found');
  });

  it('are for admins who reach everybody', async () => {
    const access = open();
    for (const principal of [writer, annOnly]) {
      const client = await connect({ access }, principal);
      for (const [tool, args] of [['list_keys'], ['add_key', { name: 'x' }], ['revoke_key', { name: 'x' }]] as const) {
        expect(await client.codeOf(tool, args ?? {})).toBe('forbidden');
      }
    }
    expect(await readFile(toKeysFile(), 'utf8').catch(() => 'none')).toBe('none');
  });

  it('are not there over stdio', async () => {
    const client = await connect({});
    expect((await client.callTool('list_keys')).text).toContain('this one runs on stdio');
  });
});

describe('activity', () => {
  const call = (access: Access, name: string, operation: string, subjects: readonly string[], outcome = 'ok') =>
    access.audit.write({ principal: { ...localPrincipal, name }, operation, subjects, outcome });
  const toOperations = async (client: TestClient, args = {}) =>
    (Object((await client.callTool('list_activity', args)).structured).calls as { operation: string }[]).map(
      ({ operation }) => operation,
    );

  it('lists the newest calls of everybody to an admin, by user, operation and outcome', async () => {
    const access = open();
    call(access, 'key app', 'recall', ['ann']);
    call(access, 'key app', 'remember', ['bob'], 'no_space');
    call(access, 'key ops', 'list_activity', []);
    const client = await connect({ access });
    expect(await toOperations(client)).toEqual(['remember', 'recall']);
    expect(await toOperations(client, { user_id: 'ann' })).toEqual(['recall']);
    expect(await toOperations(client, { operation: 'REMEM' })).toEqual(['remember']);
    expect(await toOperations(client, { outcome: 'failed' })).toEqual(['remember']);
    expect(await toOperations(client, { limit: 1 })).toEqual(['remember']);
  });

  it('shows anybody else their own calls alone', async () => {
    const access = open();
    call(access, 'key ann', 'recall', ['ann']);
    call(access, 'key ann', 'forget', ['bob']);
    call(access, 'key app', 'remember', ['ann']);
    expect(await toOperations(await connect({ access }, annOnly))).toEqual(['recall']);
    expect(await toOperations(await connect({ access }, writer))).toEqual(['remember']);
    expect(await (await connect({ access }, annOnly)).codeOf('list_activity', { user_id: 'bob' })).toBe('forbidden');
  });

  it('goes on after a restart', async () => {
    const before = open();
    call(before, 'key app', 'recall', ['ann']);
    await before.audit.close();
    const access = open();
    expect(await toOperations(await connect({ access }))).toEqual(['recall']);
  });
});

describe('restart_server', () => {
  it('gives a server another process, and the status tells how its calls went', async () => {
    const composition = await writeComposition({ servers: { 'persona-uozumi': barePersona() } });
    closing.push(composition.remove);
    const { file } = composition;
    const { servers } = await loadAggregatorConfig({ env: process.env, file, ownFile: fileURLToPath(import.meta.url) });
    const times = createCallTimes();
    const about = { clientName: 'test', clientVersion: '0', stderr: 'ignore' as const, log: silentLog };
    const upstreams = createUpstreams({ ...about, servers, times });
    closing.push(upstreams.close);
    const client = await connect({ upstreams, times });
    const ask = () => upstreams.call('persona-uozumi', 'get_uozumi_system_prompt', {}, { timeoutMs: 200_000 });
    await ask();
    expect((await client.callTool('restart_server', { server: 'persona-uozumi' })).structured).toMatchObject({
      status: 'running',
    });
    await ask();
    const [first, second] = await composition.calls('persona-uozumi');
    expect(second?.pid).not.toBe(first?.pid);
    const { structured } = await client.callTool('get_service_status');
    const calls = { count: 2, failed: 0, p50_ms: expect.any(Number), p95_ms: expect.any(Number) };
    expect(structured).toMatchObject({ components: { 'persona-uozumi': { calls } } });
    expect((await client.callTool('restart_server', { server: '<b>' })).text).toContain('there are: persona-uozumi');
  });
});

it('answers each of them as the rights of its caller say', async () => {
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  const report = await tryAuthorization({
    name: 'context-aggregator',
    operations: serverOperations,
    factory: createWhole({ access: open() }),
    api: createApi({ ...definition, routes: [], deps: undefined }),
    own: { user: 'ann', project: 'shop' },
  });
  expect(report.wrong).toEqual([]);
});
