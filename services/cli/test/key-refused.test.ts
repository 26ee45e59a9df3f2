import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessSettings, addKey, openAccess } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createApi, createMcpEndpoint, createMcpServer, listenHttp } from '@contextloom/server-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
let endpoint: Awaited<ReturnType<typeof listenHttp>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-refused-'));
  const file = join(folder, 'there', 'keys.json');
  const [server, clock, log] = ['context-aggregator', () => new Date(), silentLog];
  await addKey({ name: 'app', scopes: ['read'] }, { file, clock });
  const config = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: file }).values;
  const access = openAccess({ config, server, clock, log });
  const mcp = createMcpEndpoint(createMcpServer({ name: server, version: '0', deps: {}, log }), { log });
  const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: {}, log });
  endpoint = await listenHttp(api, { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], access, log });
});
afterAll(async () => {
  await endpoint.close();
  await rm(folder, { recursive: true });
});

it.each([
  ['none is set', {}, 'wants a key: set CONTEXTLOOM_KEY to one that "contextloom keys add" prints'],
  ['another is set', { CONTEXTLOOM_KEY: 'clk_wrong' }, 'does not take the key in CONTEXTLOOM_KEY'],
])('says which variable holds the key of the aggregator when %s', async (_name, env, words) => {
  const elsewhere = { CONTEXTLOOM_KEYS_FILE: join(folder, 'here', 'keys.json'), ...env };
  const { code, stderr } = await runCli(['--url', `${endpoint.url}/mcp`, 'status'], { env: elsewhere });
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(stderr).not.toContain('clk_wrong');
});
