import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromJsonSchema, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { createTestGateway, only, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** What `all_kinds` answers: every kind of content, with fields that no schema of ours names. */
const ANSWER = {
  content: [
    { type: 'text', text: 'words', annotations: { audience: ['user'], priority: 0.5 }, _meta: { 'test/block': 1 } },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'note://1', mimeType: 'text/plain', text: 'a note' } },
    { type: 'resource_link', uri: 'note://2', name: 'second' },
  ],
  structuredContent: { found: [1, 2, { deep: null }] },
  _meta: { 'test/whole': { kept: true } },
};

/** What an upstream saw of its calls. */
interface Seen {
  readonly metas: unknown[];
  readonly cancelled: unknown[];
}

const anything = fromJsonSchema<Record<string, unknown>>({ type: 'object' });

/** A server that is not ours, with one tool of each sort. */
function createForeign(seen: Seen): McpServerFactory {
  return () => {
    const server = new McpServer({ name: 'foreign', version: '1' });
    server.registerTool(
      'all_kinds',
      {
        title: 'All kinds',
        description: 'Answers with each kind of content.',
        inputSchema: anything,
        outputSchema: fromJsonSchema({ type: 'object', properties: { found: { type: 'array' } }, required: ['found'] }),
        annotations: { readOnlyHint: true },
        _meta: { 'test/tool': ['kept'] },
      },
      (_args, { mcpReq }) => {
        seen.metas.push(mcpReq._meta);
        return ANSWER as never;
      },
    );
    server.registerTool('fail', { inputSchema: anything }, () => ({
      content: [{ type: 'text', text: 'no such page' }],
      isError: true,
    }));
    server.registerTool('echo', { inputSchema: anything }, async ({ text, steps = 0 }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 'none';
      for (let progress = 1; progress <= Number(steps); progress += 1) {
        const params = { progressToken, progress, total: Number(steps), message: String(text) };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: String(text) }] };
    });
    server.registerTool('wait', { inputSchema: anything }, async ({ text }, { mcpReq }) => {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: mcpReq._meta?.progressToken ?? 0, progress: 1 },
      });
      await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
      seen.cancelled.push(text);
      return { content: [] };
    });
    return server;
  };
}

const seen: Seen = { metas: [], cancelled: [] };
let upstream: RunningUpstream;
let gateway: TestGateway;
let clients: readonly (readonly [string, TestClient])[];

beforeAll(async () => {
  upstream = await startUpstream(createForeign(seen));
  gateway = createTestGateway({
    urls: { wiki: upstream.address, 'own.wiki': upstream.address },
    ownServers: ['own.wiki'],
  });
  clients = [
    ['a client with a session', await connectInMemory(gateway.factory, only('ann'))],
    ['a client of 2025-11-25 over HTTP', await connectOverFetch(gateway.factory, '2025-11-25', only('ann'))],
    ['a client of 2026-07-28 over HTTP', await connectOverFetch(gateway.factory, '2026-07-28', only('ann'))],
  ];
});
afterAll(async () => {
  for (const [, client] of clients) await client.close();
  await gateway.close();
  await upstream.close();
});

describe.each([0, 1, 2])('tools of an upstream, to client %#', (index) => {
  const client = () => (clients[index] as readonly [string, TestClient])[1].client;

  it('are listed after our own, as they were described', async () => {
    const { tools } = await client().listTools();
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 1)).toEqual(['build_prompt_with_context']);
    expect(names.slice(13)).toEqual(
      ['all_kinds', 'fail', 'echo', 'wait']
        .flatMap((name) => `wiki__${name}`)
        .concat(['all_kinds', 'fail', 'echo', 'wait'].map((name) => `own_wiki__${name}`)),
    );
    const [direct] = (await directTools()).filter(({ name }) => name === 'all_kinds');
    expect(tools.find(({ name }) => name === 'wiki__all_kinds')).toEqual({ ...direct, name: 'wiki__all_kinds' });
  });

  it('answer with every kind of content, structured content and _meta', async () => {
    const answer = await client().callTool({ name: 'wiki__all_kinds', arguments: {} });
    expect(answer).toMatchObject(ANSWER);
  });

  it('answer with their own errors', async () => {
    expect(await client().callTool({ name: 'wiki__fail', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'no such page' }],
    });
  });

  it('tell how far they are', async () => {
    const heard: unknown[] = [];
    await client().callTool(
      { name: 'wiki__echo', arguments: { text: 'step', steps: 3 } },
      { onprogress: (progress) => heard.push(progress) },
    );
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: 'step' })));
  });

  it('stop when the client gives a call up', async () => {
    const stop = new AbortController();
    const text = `stopped ${index}`;
    const call = client().callTool(
      { name: 'wiki__wait', arguments: { text } },
      { signal: stop.signal, onprogress: () => stop.abort('enough') },
    );
    await expect(call).rejects.toThrow('enough');
    while (!seen.cancelled.includes(text)) await new Promise(setImmediate);
  });

  it('are told for whom they are called where they are servers of the house, and nowhere else', async () => {
    const _meta = { 'test/mine': 1 };
    await client().callTool({ name: 'wiki__all_kinds', arguments: {}, _meta });
    await client().callTool({ name: 'own_wiki__all_kinds', arguments: {}, _meta });
    const [foreign, house] = seen.metas.slice(-2) as Record<string, unknown>[];
    expect(foreign).toMatchObject(_meta);
    expect(Object.keys(foreign ?? {})).not.toContain('contextloom/principal');
    expect(house).toMatchObject({ ..._meta, 'contextloom/principal': { name: 'ann', users: ['ann'] } });
  });

  it('are refused with the field that says wrongly for whom they are called', async () => {
    const _meta = { 'contextloom/principal': { name: 'ann', users: 7 } };
    await expect(client().callTool({ name: 'wiki__echo', arguments: {}, _meta })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('_meta.contextloom/principal.users'),
    });
  });

  it('are refused by name where there is no such tool', async () => {
    await expect(client().callTool({ name: 'wiki__none', arguments: {} })).rejects.toThrow('Unknown tool: wiki__none');
  });
});

async function directTools() {
  const direct = await connectInMemory(createForeign(seen));
  const { tools } = await direct.client.listTools();
  await direct.close();
  return tools;
}

it('never mixes clients that use the same ids and progress tokens', async () => {
  const many = await Promise.all(Array.from({ length: 4 }, () => connectInMemory(gateway.factory)));
  await Promise.all(
    many.flatMap(({ client }, at) =>
      Array.from({ length: 5 }, async (_, round) => {
        const text = `${at}/${round}`;
        const heard: unknown[] = [];
        const onprogress = ({ message }: { message?: string | undefined }): void => void heard.push(message);
        const answer = await client.callTool({ name: 'wiki__echo', arguments: { text, steps: 3 } }, { onprogress });
        expect(answer.content).toEqual([{ type: 'text', text }]);
        expect(heard).toEqual([text, text, text]);
      }),
    ),
  );
  for (const client of many) await client.close();
});
