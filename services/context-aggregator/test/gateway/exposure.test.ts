import { connectInMemory } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/server';
import { operations } from '../../src/operations/index.ts';
import { createTestGateway, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway | undefined;
const upstreams: RunningUpstream[] = [];
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  for (const upstream of upstreams.splice(0)) await upstream.close();
});

/** A server with these tools; those that begin with "get" say that they change nothing. */
async function start(...names: string[]): Promise<string> {
  const upstream = await startUpstream(() => {
    const server = new McpServer({ name: 'foreign', version: '1' });
    for (const name of names) {
      const annotations = { readOnlyHint: name.startsWith('get') };
      server.registerTool(name, { annotations }, () => ({ content: [{ type: 'text', text: name }] }));
    }
    return server;
  });
  upstreams.push(upstream);
  return upstream.address;
}

/** The names beside our own that a client sees. */
async function namesUnder(
  expose: Readonly<Record<string, unknown>> | undefined,
  urls: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  gateway = createTestGateway({ urls, ...(expose !== undefined && { expose }), listMs: 2_000 });
  const client = await connectInMemory(gateway.factory);
  const { tools } = await client.listTools();
  await client.close();
  const own = new Set(operations.map(({ name }) => name));
  return tools.map(({ name }) => name).filter((name) => !own.has(name));
}

describe('what is exposed of a server', () => {
  it.each([
    ['all of one that is not named', undefined, ['wiki__get', 'wiki__put']],
    ['all, where it says true', { wiki: true }, ['wiki__get', 'wiki__put']],
    ['nothing, where it says false', { wiki: false }, []],
    ['what is allowed', { wiki: { allow: ['put'] } }, ['wiki__put']],
    ['what is not denied', { wiki: { deny: ['put'] } }, ['wiki__get']],
    ['under names of its own', { wiki: { rename: { get: 'look' } } }, ['look', 'wiki__put']],
    ['under another prefix', { wiki: { prefix: 'w-' } }, ['w-get', 'w-put']],
    ['under no prefix', { wiki: { prefix: '' } }, ['get', 'put']],
    ['what changes nothing', { wiki: { readOnly: true } }, ['wiki__get']],
  ])('is %s', async (_what, expose, expected) => {
    expect(await namesUnder(expose, { wiki: await start('get', 'put') })).toEqual(expected);
  });

  it('leaves out of a call what it leaves out of the list', async () => {
    gateway = createTestGateway({ urls: { wiki: await start('get', 'put') }, expose: { wiki: { deny: ['put'] } } });
    const { client, close } = await connectInMemory(gateway.factory);
    await expect(client.callTool({ name: 'wiki__put', arguments: {} })).rejects.toThrow('Unknown tool: wiki__put');
    await close();
  });

  it('offers a caller who may only read what changes nothing', async () => {
    gateway = createTestGateway({ urls: { wiki: await start('get', 'put') } });
    const reader = { name: 'reader', users: 'all', projects: 'all', scopes: ['read'] } as const;
    const client = await connectInMemory(gateway.factory, reader);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('wiki__get');
    expect(names).not.toContain('wiki__put');
    expect(names).not.toContain('store_conversation_memory');
    await client.close();
  });
});

describe('two servers with one name', () => {
  it('are refused at the start, and both are named', async () => {
    const urls = { wiki: await start('find'), notes: await start('find') };
    gateway = createTestGateway({ urls, expose: { wiki: { prefix: '' }, notes: { prefix: '' } } });
    await expect(gateway.check()).rejects.toThrow('wiki and notes both offer find');
  });

  it('are refused where one of them is ourselves', async () => {
    gateway = createTestGateway({ urls: { wiki: await start('list_facts') }, expose: { wiki: { prefix: '' } } });
    await expect(gateway.check()).rejects.toThrow('context-aggregator and wiki both offer list_facts');
  });

  it('are fine with prefixes, and nobody is asked', async () => {
    const nobody = 'http://127.0.0.1:9/mcp';
    gateway = createTestGateway({ urls: { wiki: nobody, notes: nobody } });
    await expect(gateway.check()).resolves.toBeUndefined();
  });
});

describe('tools that are found by a search', () => {
  it('are two in the list, found by what they are for, and called as they are', async () => {
    const urls = { wiki: await start('get_weather_forecast', 'put_page') };
    gateway = createTestGateway({ urls, discovery: 'search' });
    const { client, close } = await connectInMemory(gateway.factory);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find_tools', 'call_tool']);
    const found = await client.callTool({
      name: 'find_tools',
      arguments: { query: 'forecast of the weather', limit: 1 },
    });
    expect(found.structuredContent).toMatchObject({ tools: [{ name: 'wiki__get_weather_forecast', inputSchema: {} }] });
    const call = { name: 'call_tool', arguments: { name: 'wiki__put_page', arguments: {} } };
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: 'text', text: 'put_page' }] });
    expect(await client.callTool({ name: 'find_tools', arguments: { query: ' ' } })).toMatchObject({ isError: true });
    await close();
  });
});

describe('a server that is broken', () => {
  it('does not keep the others from being listed', async () => {
    const urls = { dead: 'http://127.0.0.1:9/mcp', wiki: await start('get') };
    expect(await namesUnder(undefined, urls)).toEqual(['wiki__get']);
  });
});
