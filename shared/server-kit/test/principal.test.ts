import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, connectOverHttp, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import type { OperationContext } from '../src/operation/context.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createChanges } from '../src/resources/changes.ts';
import { defineResource } from '../src/resources/resource.ts';
import { createMcpServer } from '../src/server/server-factory.ts';
import type { PromptDefinition } from '../src/tool/prompt.ts';

interface Deps {
  readonly notes: Readonly<Record<string, string>>;
}

const readNote = defineOperation({
  name: 'read_note',
  title: 'Read the note',
  description: 'Reads the note of a user.',
  effect: 'reads',
  scope: 'user',
  input: z.object({ user_id: z.string().min(1).default('nobody') }),
  output: z.object({ note: z.string(), by: z.string() }),
  run: ({ user_id }, { deps, principal }: OperationContext<Deps>) => ({
    note: deps.notes[user_id] ?? '',
    by: principal.name,
  }),
});

const dropNote = defineOperation({
  name: 'drop_note',
  title: 'Drop the note',
  description: 'Deletes the note of a user.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({ user_id: z.string().min(1).optional() }),
  output: z.object({ dropped: z.boolean() }),
  run: () => ({ dropped: true }),
});

const summary: PromptDefinition<Deps> = {
  name: 'summary',
  title: 'Summary',
  description: 'Asks for a summary.',
  arguments: [{ name: 'user_id', description: 'Whose note.', required: true }],
  render: ({ user_id = '' }, { notes }, { principal }) => `${principal.name}: sum up ${notes[user_id]}`,
};

const note = defineResource({
  uri: 'memory://users/{user_id}/note',
  name: 'note',
  title: 'Note',
  description: 'The note of a user.',
  mimeType: 'text/plain',
  variables: z.object({ user_id: z.string().min(1) }),
  read: ({ user_id }, { notes }: Deps) => ({ text: notes[user_id] ?? '' }),
});

/** Whose it is, its address does not say. */
const diary = defineResource({
  uri: 'memory://diary',
  name: 'diary',
  title: 'Diary',
  description: 'The diary of ann.',
  mimeType: 'text/plain',
  variables: z.object({}),
  isFor: ({ users }: Principal, _deps: Deps) => users === 'all' || users.includes('ann'),
  read: () => ({ text: 'dear diary' }),
});

const deps: Deps = { notes: { ann: "ann's note", bob: "bob's note" } };
const factory = createMcpServer<Deps>({
  name: 'notes',
  version: '0',
  operations: [readNote, dropNote],
  prompts: [summary],
  resources: [note],
  deps,
  log: silentLog,
});
const diaryFactory = createMcpServer<Deps>({
  name: 'diary',
  version: '0',
  resources: [diary],
  deps,
  log: silentLog,
  changes: createChanges({ log: silentLog }),
});

const ann: Principal = { name: 'ann-key', users: ['ann'], projects: 'all', scopes: ['read', 'write'] };
const family: Principal = { ...ann, name: 'family', users: ['ann', 'bob'] };
const reader: Principal = { ...localPrincipal, name: 'reader', scopes: ['read'] };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each([
  ['2025-11-25 in memory', (principal: Principal) => connectInMemory(factory, principal)],
  ['2025-11-25 over HTTP', (principal: Principal) => connectOverFetch(factory, '2025-11-25', principal)],
  ['2026-07-28 over HTTP', (principal: Principal) => connectOverFetch(factory, '2026-07-28', principal)],
] as const)('a principal, %s', (_era, connect) => {
  async function as(principal: Principal): Promise<TestClient> {
    const client = await connect(principal);
    closing.push(() => client.close());
    return client;
  }

  it('with one user is never asked for it, by tools, prompts and resources', async () => {
    const client = await as(ann);
    const { tools } = await client.listTools();
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([[], []]);
    expect((await client.callTool('read_note')).structured).toEqual({ note: "ann's note", by: 'ann-key' });
    expect((await client.listPrompts()).prompts[0]?.arguments).toEqual([]);
    expect(await client.getPrompt('summary')).toBe("ann-key: sum up ann's note");
    expect((await client.client.listResources()).resources.map(({ uri }) => uri)).toEqual(['memory://users/ann/note']);
    expect(await client.readText('memory://users/ann/note')).toBe("ann's note");
  });

  it.each([
    [ann, 'user_id must be "ann" or left out'],
    [{ ...family, users: ['ann', 'cy'] }, 'user_id must be one that this caller may name'],
  ])('reaches nobody else', async (principal, message) => {
    const client = await as(principal);
    expect(await client.callTool('read_note', { user_id: 'bob' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(message),
    });
    await expect(client.getPrompt('summary', { user_id: 'bob' })).rejects.toThrow(message);
    await expect(client.readText('memory://users/bob/note')).rejects.toThrow(message);
  });

  it('with several users has to say which', async () => {
    const client = await as(family);
    const { tools } = await client.listTools();
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['user_id']);
    expect((await client.callTool('read_note', { user_id: 'bob' })).structured).toMatchObject({ note: "bob's note" });
    expect(await client.callTool('drop_note')).toMatchObject({
      isError: true,
      text: expect.stringContaining('user_id is'),
    });
  });

  it('who may only read is offered nothing else', async () => {
    const client = await as(reader);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_note']);
    expect(await client.callTool('drop_note', { user_id: 'ann' })).toMatchObject({
      isError: true,
      text: 'drop_note needs the scope write, which this caller does not have',
    });
  });
});

it('a principal whom a resource is not for neither lists, reads nor watches it', async () => {
  const uri = 'memory://diary';
  const open = async (principal: Principal): Promise<TestClient> => {
    const client = await connectInMemory(diaryFactory, principal);
    closing.push(() => client.close());
    return client;
  };
  const own = await open(ann);
  expect((await own.client.listResources()).resources).toMatchObject([{ uri }]);
  expect(await own.readText(uri)).toBe('dear diary');
  await expect(own.client.subscribeResource({ uri })).resolves.toEqual({});
  const other = await open({ ...ann, users: ['bob'] });
  expect((await other.client.listResources()).resources).toEqual([]);
  await expect(other.readText(uri)).rejects.toThrow('this caller may not read memory://diary');
  await expect(other.client.subscribeResource({ uri })).rejects.toThrow('this caller may not read memory://diary');
});

describe('a door', () => {
  it("answers each request as its sender, and shows nobody another's session", async () => {
    const senders: Readonly<Record<string, Principal>> = { 'Bearer a': ann, 'Bearer f': family };
    const mcp = createMcpEndpoint(factory, { log: silentLog });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps, log: silentLog });
    const identify = (authorization = ''): Principal => senders[authorization] ?? reader;
    const { url, close } = await listen(await api.toApp({ mcp, guard: { identify } }), { host: '127.0.0.1', port: 0 });
    closing.push(close, () => mcp.close());
    const connect = async (token: string, revision: string): Promise<TestClient> => {
      const client = await connectOverHttp(new URL(`${url}/mcp`), revision, { Authorization: `Bearer ${token}` });
      closing.push(() => client.close());
      return client;
    };
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const [own, shared] = [await connect('a', revision), await connect('f', revision)];
      expect((await own.callTool('read_note')).structured).toMatchObject({ by: 'ann-key' });
      expect((await shared.callTool('read_note', { user_id: 'bob' })).structured).toMatchObject({ by: 'family' });
    }
    const legacy = await connect('a', '2025-11-25');
    const { sessionId } = legacy.client.transport as StreamableHTTPClientTransport;
    const ask = (token: string): Promise<Response> =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Mcp-Session-Id': sessionId ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' }),
      });
    expect((await ask('a')).status).toBe(200);
    expect((await ask('f')).status).toBe(404);
  });
});
