import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, type Listening, listen } from '@contextloom/server-kit';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createMemoryApi } from '../src/http/api.ts';
import { toDeps } from '../src/operations/deps.ts';
import { operations, restOperations } from '../src/operations/index.ts';
import { createFolder, DAY, type Folder, openTestMemory } from './support/memory.ts';
import { saveSeed, seedFiles } from './support/seed.ts';

const all = [...operations, ...restOperations];
const ann: Principal = { name: 'ann-key', users: ['ann'], projects: 'all', scopes: ['read', 'write'] };
const family: Principal = { ...ann, name: 'family', users: ['ann', 'cy'] };
const bob: Principal = { ...ann, name: 'bob-key', users: ['bob'] };
const others: Principal = { ...ann, name: 'others', users: ['bob', 'cy'] };
const reader: Principal = { ...ann, name: 'reader', scopes: ['read'] };
const REFUSAL = 'this workspace belongs to a user whom this caller may not name';

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = createFolder();
  saveSeed(folder.save);
  opened = await openTestMemory(folder);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await opened.memory.close();
  folder.remove();
});

const serve = (userId: string | undefined) =>
  createAgentMemoryServer({ ...opened, userId, isShared: false, version: '0', log: silentLog });

async function as(principal: Principal, userId: string | undefined = 'ann'): Promise<TestClient> {
  const client = await connectInMemory(serve(userId), principal);
  closing.push(() => client.close());
  return client;
}

async function listenFor(principal: Principal, isShared = false): Promise<Listening> {
  const mcp = createMcpEndpoint(serve('ann'), { log: silentLog });
  const api = createMemoryApi({ ...opened, userId: 'ann', isShared, version: '0', log: silentLog });
  const listening = await listen(await api.toApp({ mcp, guard: { identify: () => principal } }), {
    host: '127.0.0.1',
    port: 0,
  });
  closing.push(
    () => mcp.close(),
    () => listening.close(),
  );
  return listening;
}

it('lists and finds entries with the mark of their owner, where there is one', async () => {
  const [owned, open] = [await as(ann), await connectInMemory(serve(undefined))];
  closing.push(() => open.close());
  for (const [tool, args] of [
    ['list_entries', {}],
    ['search_entries', { query: 'coffee' }],
  ] as const) {
    expect((await owned.callTool(tool, args)).structured).toMatchObject({ user_id: 'ann' });
    expect((await open.callTool(tool, args)).structured).not.toHaveProperty('user_id');
  }
});

describe('every operation', () => {
  it.each(all)('$name has an example that its schemas take', ({ example, input, output }) => {
    expect(input.safeParse(example?.input).error).toBeUndefined();
    expect(output.safeParse(example?.output).error).toBeUndefined();
  });

  it.each(all)('$name is refused to callers of other users, whatever they ask', async ({ call, example }) => {
    const deps = toDeps({ memory: opened.memory, userId: 'ann' });
    const rest = { deps, signal: new AbortController().signal, reportProgress: () => undefined };
    for (const { users } of [bob, others, { users: [] }])
      await expect(call(example?.input, { ...rest, principal: { ...localPrincipal, users } })).rejects.toMatchObject({
        code: 'forbidden',
        message: REFUSAL,
      });
    const files = Object.keys(seedFiles).map((path) => folder.read(path).replace(/<!-- id.*-->\n/g, ''));
    expect(files).toEqual(Object.values(seedFiles));
  });
});

describe.each([
  ['2025-11-25', (principal: Principal) => as(principal)],
  ['2026-07-28', (principal: Principal) => connectOverFetch(serve('ann'), '2026-07-28', principal)],
] as const)('the workspace of a user, over MCP %s', (_era, connect) => {
  it('is for callers that reach the user', async () => {
    for (const principal of [ann, family, localPrincipal]) {
      const client = await connect(principal);
      const { structured } = await client.callTool('search_entries', { query: '数据库', limit: 1 });
      expect(structured).toMatchObject({ items: [{ entry: { source_file: DAY } }] });
      expect(await client.readText('agent-memory://workspace/MEMORY.md')).toContain('花生');
      await client.close();
    }
  });

  it('is for nobody else, by tools and resources', async () => {
    for (const principal of [bob, others]) {
      const client = await connect(principal);
      for (const { name, example } of operations.filter(({ requires }) => requires !== 'admin'))
        expect(await client.callTool(name, example?.input as Record<string, unknown>)).toMatchObject({
          isError: true,
          text: REFUSAL,
        });
      expect((await client.client.listResources()).resources).toEqual([]);
      expect((await client.client.listResourceTemplates()).resourceTemplates).toEqual([]);
      for (const path of ['OWNER.md', 'MEMORY.md', DAY])
        await expect(client.readText(`agent-memory://workspace/${path}`)).rejects.toThrow('this caller may not read');
      await client.close();
    }
  });
});

describe('the workspace of a user', () => {
  it('is not watched by others', async () => {
    const uri = `agent-memory://workspace/${DAY}`;
    const watching = async (principal: Principal) => (await as(principal)).client.subscribeResource({ uri });
    await expect(watching(bob)).rejects.toThrow('this caller may not read');
    await expect(watching(ann)).resolves.toEqual({});
  });

  it('is for nobody else over REST', async () => {
    const { url } = await listenFor(bob);
    const json = { headers: { 'Content-Type': 'application/json' } };
    for (const { name, route, example } of all) {
      if (route === undefined) continue;
      const input = example?.input as Record<string, string>;
      const path = route.path.replace(/:(\w+)/g, (_whole, field: string) => String(input[field]));
      const body = route.method === 'get' || route.method === 'delete' ? {} : { body: JSON.stringify(input), ...json };
      const answer = await fetch(`${url}${path}`, { method: route.method.toUpperCase(), ...body });
      expect([name, answer.status, await answer.json()]).toEqual([name, 403, { code: 'forbidden', message: REFUSAL }]);
    }
    const own = await listenFor(ann);
    expect((await fetch(`${own.url}/api/v1/memory/entries`)).status).toBe(200);
  });

  it('is read, searched and loaded over REST with the scope read alone', async () => {
    const { url } = await listenFor(reader);
    const post = (path: string, body: object) =>
      fetch(`${url}/api/v1/memory${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post('/search', { query: '数据库' })).status).toBe(200);
    expect((await post('/context/load', {})).status).toBe(200);
    expect((await post('/entries', { content: '喝茶' })).status).toBe(403);
  });

  it('is a shared session over REST as over MCP where the server is bound to one', async () => {
    const { url } = await listenFor(ann, true);
    const load = async (body: object) => {
      const answer = await fetch(`${url}/api/v1/memory/context/load`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, json: (await answer.json()) as object };
    };
    expect(await load({ session: 'owner' })).toMatchObject({ status: 403, json: { details: { field: 'session' } } });
    expect(await load({})).toMatchObject({
      status: 200,
      json: { left_out: [{ section: 'long_term', reason: 'session' }] },
    });
  });
});

it('a workspace without a user is for every caller', async () => {
  const client = await connectInMemory(serve(undefined), bob);
  closing.push(() => client.close());
  expect((await client.callTool('list_entries')).structured).toMatchObject({ total: 6 });
});
