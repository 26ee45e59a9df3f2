import { silentLog } from '@contextloom/runtime';
import { createChanges, createMcpServer, defineResource } from '@contextloom/server-kit';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createTestGateway, only, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

/** A server of ours, whose notes change. */
const changes = createChanges({ log: silentLog });
const createNotes = createMcpServer({
  name: 'notes',
  version: '1',
  resources: [
    defineResource({
      uri: 'note://today',
      name: 'today',
      title: 'Today',
      description: 'What is to be done today.',
      mimeType: 'text/plain',
      variables: z.object({}),
      read: () => ({ text: 'tea' }),
    }),
  ],
  changes,
  deps: {},
  log: silentLog,
});

/** A server of others with the same URI, templates, prompts, completions and log levels. */
function createForeign(): Server {
  const capabilities = { resources: {}, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'foreign', version: '1' }, { capabilities });
  const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Record<string, unknown>>> = {
    'resources/list': () => ({ resources: [{ uri: 'note://today', name: 'theirs', _meta: { kept: 1 } }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'page://{id}', name: 'page' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `foreign ${String(uri)}`, _meta: { kept: 2 } }] }),
    'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] }),
    'prompts/get': (params) => ({
      messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(params['arguments']) } }],
    }),
    'completion/complete': (params) => ({ completion: { values: [JSON.stringify(params['ref'])], total: 1 } }),
  };
  server.fallbackRequestHandler = async ({ method, params }) => answers[method]?.(params ?? {}) ?? {};
  return server;
}

let upstreams: readonly RunningUpstream[];
let gateway: TestGateway;
let clients: readonly TestClient[];

beforeAll(async () => {
  upstreams = [await startUpstream(createNotes), await startUpstream(createForeign)];
  const [notes = '', wiki = ''] = upstreams.map(({ address }) => address);
  gateway = createTestGateway({ urls: { notes, wiki }, ownServers: ['notes'] });
  clients = [await connectInMemory(gateway.factory), await connectOverFetch(gateway.factory)];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});

describe.each([0, 1])('what servers have besides tools, to client %#', (index) => {
  const client = () => (clients[index] as TestClient).client;

  it('is listed: resources under their own URIs where these are unique', async () => {
    const { resources } = await client().listResources();
    expect(resources).toMatchObject([
      { uri: 'note://today', title: 'Today' },
      { uri: 'wiki+note://today', name: 'theirs', _meta: { kept: 1 } },
    ]);
    expect((await client().listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'page://{id}' }]);
    expect((await client().listPrompts()).prompts).toMatchObject([{ name: 'wiki__greet' }]);
  });

  it.each([
    ['note://today', { uri: 'note://today', text: 'tea' }],
    ['wiki+note://today', { uri: 'note://today', text: 'foreign note://today', _meta: { kept: 2 } }],
    ['page://7', { uri: 'page://7', text: 'foreign page://7' }],
  ])('is read: %s', async (uri, expected) => {
    expect((await client().readResource({ uri })).contents).toMatchObject([expected]);
  });

  it('is not found where no server has it', async () => {
    await expect(client().readResource({ uri: 'other://1' })).rejects.toMatchObject({
      code: -32_602,
      data: { uri: 'other://1' },
    });
  });

  it('is a prompt under its new name, and a completion of it under its own', async () => {
    const { messages } = await client().getPrompt({ name: 'wiki__greet', arguments: { who: 'Ros' } });
    expect(messages).toMatchObject([{ content: { text: '{"who":"Ros"}' } }]);
    const ref = { type: 'ref/prompt', name: 'wiki__greet' } as const;
    const { completion } = await client().complete({ ref, argument: { name: 'who', value: 'R' } });
    expect(completion.values).toEqual(['{"type":"ref/prompt","name":"greet"}']);
  });
});

it('is not found under the code of its revision by a client of 2025-11-25, whose SDK may know no other', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (await gateway.factory({ era: 'legacy' })).connect(far);
  await near.start();
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      near.onmessage = resolve;
      void near.send({ jsonrpc: '2.0', id: method, method, params: { ...params } });
    });
  const clientInfo = { name: 'raw', version: '0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  expect(await ask('resources/read', { uri: 'other://1' })).toMatchObject({
    error: { code: -32_002, message: 'Resource not found: other://1', data: { uri: 'other://1' } },
  });
  await near.close();
});

it('tells of a changed resource those who watch it, and nobody else', async () => {
  const heard: string[] = [];
  const watching = await connectInMemory(gateway.factory, only('ann'));
  const other = await connectInMemory(gateway.factory, only('ben'));
  for (const [name, { client }] of [
    ['watching', watching],
    ['other', other],
  ] as const) {
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(`${name} ${params.uri}`),
    );
    await client.listResources();
  }
  await watching.client.subscribeResource({ uri: 'note://today' });
  changes.resourceUpdated('note://today');
  while (heard.length === 0) await new Promise(setImmediate);
  await other.client.ping();
  expect(heard).toEqual(['watching note://today']);
  await watching.client.setLoggingLevel('debug');
  await watching.close();
  await other.close();
});
