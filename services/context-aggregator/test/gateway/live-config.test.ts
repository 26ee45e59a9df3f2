import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { loadAggregatorConfig } from '../../src/config.ts';
import { type OpenAggregator, openAggregator } from '../../src/open-aggregator.ts';
import { openTestStore } from '../support/credentials.ts';
import { startFaultyUpstream } from '../support/faulty-upstream.ts';
import { type RunningUpstream, startUpstream } from '../support/gateway.ts';

/** How often the file is looked at here, in milliseconds. */
const LOOK_MS = 10;
/** Deadlines that no test lives to see. */
const NEVER = { source_deadline_ms: 600_000, store_deadline_ms: 600_000 };

let folder: string;
let file: string;
let upstreams: RunningUpstream[];
let aggregator: OpenAggregator | undefined;
let test: TestClient;
let told: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-live-'));
  file = join(folder, 'mcp_config.json');
  upstreams = [];
  told = [];
});
afterEach(async () => {
  await test?.close();
  await aggregator?.close();
  aggregator = undefined;
  for (const upstream of upstreams) await upstream.close();
  await rm(folder, { recursive: true });
});

/** A server with one tool, which answers how many connections there have been. */
async function start(tool: string): Promise<{ readonly url: string; readonly seen: { connections: number } }> {
  const seen = { connections: 0 };
  const upstream = await startUpstream(() => {
    const server = new McpServer({ name: tool, version: '1' });
    server.server.oninitialized = () => {
      seen.connections += 1;
    };
    server.registerTool(tool, { inputSchema: fromJsonSchema({ type: 'object' }) }, () => ({
      content: [{ type: 'text', text: tool }],
    }));
    return server;
  }, 'legacy');
  upstreams.push(upstream);
  return { url: upstream.address, seen };
}

const write = async (config: object | string): Promise<void> => {
  await writeFile(`${file}.new`, typeof config === 'string' ? config : JSON.stringify(config));
  await rename(`${file}.new`, file);
};

async function open(config: object, connect = connectInMemory): Promise<TestClient> {
  await write(config);
  const load = () => loadAggregatorConfig({ env: {}, file, ownFile: join(folder, 'server.js') });
  const credentials = openTestStore(folder);
  aggregator = await openAggregator({ file, load, credentials, intervalMs: LOOK_MS, log: silentLog, version: '0' });
  test = await connect(aggregator.all);
  test.client.fallbackNotificationHandler = async ({ method }) => void told.push(method);
  return test;
}

const soon = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

async function listForeign(): Promise<readonly string[]> {
  const { tools } = await test.client.listTools();
  return tools.map(({ name }) => name).filter((name) => name.includes('__'));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await soon();
}

const call = (name: string) => test.client.callTool({ name, arguments: {} });

async function readStatus(): Promise<Record<string, unknown>> {
  const { structuredContent } = await call('get_service_status');
  return (structuredContent as Record<string, Record<string, unknown>>)['configuration'] ?? {};
}

describe('a configuration that changes while the aggregator runs', () => {
  it('brings servers and takes them away; one that stays as it is keeps its connection', async () => {
    const [wiki, notes] = [await start('read'), await start('write')];
    await open({ mcpServers: { wiki: { url: wiki.url } } });
    expect(await listForeign()).toEqual(['wiki__read']);
    const before = wiki.seen.connections;
    await write({ mcpServers: { wiki: { url: wiki.url }, notes: { url: notes.url } } });
    await until(async () => (await listForeign()).includes('notes__write'));
    expect(await call('notes__write')).toMatchObject({ content: [{ text: 'write' }] });
    expect(told).toEqual(
      expect.arrayContaining(['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`)),
    );
    expect(wiki.seen.connections).toBe(before);
    await write({ mcpServers: { notes: { url: notes.url } } });
    await until(async () => !(await listForeign()).includes('wiki__read'));
    await expect(call('wiki__read')).rejects.toThrow('Unknown tool: wiki__read');
  });

  it('reaches another server under the same name', async () => {
    const [old, fresh] = [await start('read'), await start('look')];
    await open({ mcpServers: { wiki: { url: old.url } } });
    expect(await call('wiki__read')).toMatchObject({ content: [{ text: 'read' }] });
    await write({ mcpServers: { wiki: { url: fresh.url } } });
    await until(async () => (await listForeign()).includes('wiki__look'));
    expect(await listForeign()).toEqual(['wiki__look']);
    expect(await call('wiki__look')).toMatchObject({ content: [{ text: 'look' }] });
  });

  it('changes what is exposed, and a server that becomes one of the house', async () => {
    const wiki = await start('read');
    const mcpServers = { wiki: { url: wiki.url } };
    await open({ mcpServers });
    expect(await listForeign()).toEqual(['wiki__read']);
    await write({ mcpServers, aggregator: { expose: { wiki: { prefix: 'my__' } }, own_servers: ['wiki'] } });
    await until(async () => (await listForeign()).includes('my__read'));
    expect(await call('my__read')).toMatchObject({ content: [{ text: 'read' }] });
    await write({ mcpServers, aggregator: { expose: { wiki: false } } });
    await until(async () => (await listForeign()).length === 0);
  });

  it('is seen by clients without sessions, too', async () => {
    const wiki = await start('read');
    await open({ mcpServers: {} }, (factory) => connectOverFetch(factory, '2026-07-28'));
    expect(await listForeign()).toEqual([]);
    await write({ mcpServers: { wiki: { url: wiki.url } } });
    await until(async () => (await listForeign()).includes('wiki__read'));
  });

  it('stays as it was where the file is broken, and the status says why, until it is mended', async () => {
    const wiki = await start('read');
    const config = { mcpServers: { wiki: { url: wiki.url } } };
    await open(config);
    expect(await readStatus()).toEqual({ status: 'current' });
    await write('{ "mcpServers": {');
    await until(async () => (await readStatus())['status'] === 'refused');
    expect(await readStatus()).toEqual({
      status: 'refused',
      reason: expect.stringContaining('mcp_config.json is not valid JSON: CloseBraceExpected at line 1, column 18'),
    });
    expect(await call('wiki__read')).toMatchObject({ content: [{ text: 'read' }] });
    await write({ mcpServers: { wiki: { url: '${NOT_SET}' } } });
    await until(async () => String((await readStatus())['reason']).includes('${NOT_SET}'));
    await write({ mcpServers: { wiki: { url: '${NOW_SET}' } } });
    await writeFile(join(folder, '.env'), `NOW_SET=${wiki.url}\n`);
    await until(async () => (await readStatus())['status'] === 'current');
    expect(await call('wiki__read')).toMatchObject({ content: [{ text: 'read' }] });
  });

  it('stays as it was where two servers would offer the same name, and the status names both', async () => {
    const [wiki, notes] = [await start('find'), await start('find')];
    const mcpServers = { wiki: { url: wiki.url }, notes: { url: notes.url } };
    await open({ mcpServers });
    const expose = { wiki: { prefix: '' }, notes: { prefix: '' } };
    await write({ mcpServers, aggregator: { expose } });
    await until(async () => (await readStatus())['status'] === 'refused');
    expect((await readStatus())['reason']).toBe(
      'wiki and notes both offer find: give one of them a "prefix" or a "rename" in aggregator.expose',
    );
    expect(await listForeign()).toEqual(['wiki__find', 'notes__find']);
    expect(await call('notes__find')).toMatchObject({ content: [{ text: 'find' }] });
    await write({ mcpServers, aggregator: { expose: { wiki: { prefix: 'my__' } } } });
    await until(async () => (await listForeign()).includes('my__find'));
    expect(await readStatus()).toEqual({ status: 'current' });
  });

  it('stays as it was where a context source names a tool that its server does not have', async () => {
    const wiki = await start('read');
    const mcpServers = { wiki: { url: wiki.url } };
    await open({ mcpServers });
    const source = { name: 'pages', server: 'wiki', arguments: {} };
    await write({ mcpServers, contextSources: [{ ...source, tool: 'look' }] });
    await until(async () => (await readStatus())['status'] === 'refused');
    expect((await readStatus())['reason']).toContain('is "look", which wiki does not offer; it offers: read');
    await write({ mcpServers, contextSources: [{ ...source, tool: 'read' }] });
    await until(async () => (await readStatus())['status'] === 'current');
  });

  it('is given up where the aggregator is closed while it is tried out', async () => {
    const silent = await startFaultyUpstream();
    silent.otherwise = 'hang';
    await open({ mcpServers: {} });
    const expose = { silent: { prefix: '' } };
    await write({ mcpServers: { silent: { url: silent.address } }, aggregator: { expose, ...NEVER } });
    await until(async () => silent.asked.length > 0);
    await aggregator?.close();
    aggregator = undefined;
    await silent.close();
  });
});
