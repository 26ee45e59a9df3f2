import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { createApi, type Listening, listen, toReadyRoute } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { loadAggregatorConfig } from '../../src/config.ts';
import { type OpenAggregator, openAggregator } from '../../src/open-aggregator.ts';
import { openTestStore } from '../support/credentials.ts';
import { type FaultyUpstream, startFaultyUpstream } from '../support/faulty-upstream.ts';

let folder: string;
let file: string;
let wiki: FaultyUpstream;
let aggregator: OpenAggregator;
let client: TestClient;
let endpoint: Listening;
let isAuthRequired: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-ready-'));
  file = join(folder, 'mcp_config.json');
  wiki = await startFaultyUpstream();
  const mcpServers = { wiki: { url: wiki.address }, nobody: { url: 'http://127.0.0.1:9/mcp' } };
  await writeFile(file, JSON.stringify({ mcpServers }));
  const load = () => loadAggregatorConfig({ env: {}, file, ownFile: join(folder, 'server.js') });
  const credentials = openTestStore(folder);
  aggregator = await openAggregator({ file, load, credentials, intervalMs: 10, log: silentLog, version: '0' });
  isAuthRequired = false;
  const { toReadiness } = aggregator;
  const routes = [toReadyRoute({ toReadiness, isAuthRequired: () => isAuthRequired })];
  const api = createApi({ title: 'test', description: '', version: '0', routes, deps: undefined, log: silentLog });
  endpoint = await listen(await api.toApp(), { host: '127.0.0.1', port: 0, graceMs: 0 });
  client = await connectInMemory(aggregator.all);
});
afterEach(async () => {
  await client.close();
  await endpoint.close();
  await aggregator.close();
  await wiki.close();
  await rm(folder, { recursive: true });
});

async function ask(): Promise<Record<string, unknown>> {
  const response = await fetch(`${endpoint.url}/ready`);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

it('tells which servers are away, and is ready all the same', async () => {
  const upstreams = { up: 0, away: 0, unused: 2 };
  expect(await ask()).toEqual({ status: 'ready', configuration: 'current', upstreams, away: [] });
  await client.client.listTools();
  expect(await ask()).toMatchObject({ upstreams: { up: 1, away: 1, unused: 0 }, away: ['nobody'] });
  wiki.fault = 'half-closed';
  await client.callTool('wiki__echo', { text: 'hi' });
  expect(await ask()).toMatchObject({ upstreams: { up: 0, away: 2, unused: 0 }, away: ['wiki', 'nobody'] });
  wiki.fault = 'none';
  await client.callTool('wiki__echo', { text: 'hi' });
  expect(await ask()).toMatchObject({ away: ['nobody'] });
});

it('tells no names where callers are asked who they are', async () => {
  isAuthRequired = true;
  await client.client.listTools();
  const upstreams = { up: 1, away: 1, unused: 0 };
  expect(await ask()).toEqual({ status: 'ready', configuration: 'current', upstreams });
});

it('tells that the file in place is refused, and is ready with the one before', async () => {
  await writeFile(file, '{');
  while ((await ask())['configuration'] !== 'refused') await new Promise((resolve) => setTimeout(resolve, 10));
});
