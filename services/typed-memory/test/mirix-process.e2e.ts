import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { checkTypedMemory } from '../src/checks.ts';
import { settings } from '../src/config.ts';
import { rotateVault } from '../src/domain/vault/rotate-vault.ts';
import { type OpenStoreOptions, openStore } from '../src/open-store.ts';
import { createVault } from '../src/open-vault.ts';
import { built } from './support/knowledge-base.ts';
import { type ScriptedMirix, startScriptedMirix } from './support/scripted-mirix.ts';

const server = built('typed-memory/dist/server.js');
const children: ChildProcess[] = [];
let [mirix, folder] = [undefined as unknown as ScriptedMirix, ''];
let env: Record<string, string> = {};

beforeAll(async () => {
  mirix = await startScriptedMirix('server');
  folder = await mkdtemp(join(tmpdir(), 'typed-memory-mirix-'));
  env = {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'silent',
    DEFAULT_USER_ID: '林工',
    MIRIX_BACKEND_URL: `${mirix.url}/`,
    MIRIX_API_KEY: mirix.apiKey,
  };
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await mirix.close();
  await rm(folder, { recursive: true, force: true });
});

/** The settings, and what they are read from. */
function configure(more: Record<string, string> = {}): OpenStoreOptions {
  const given = { ...env, ...more };
  return { config: readSettings(settings, given).values, env: given, log: silentLog, clock: () => new Date() };
}

describe('a server over MIRIX', () => {
  it('runs the flow of the design over stdio, with a client of the SDK’s first generation', async () => {
    const config = join(folder, 'agent.json');
    await writeFile(config, JSON.stringify({ llm_config: { model: 'm' }, embedding_config: { embedding_model: 'e' } }));
    const client = new Client({ name: 'test', version: '0' });
    const more = { MIRIX_AGENT_CONFIG: config };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [server], env: { ...env, ...more } }),
    );
    const call = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
      if (isError === true) throw new Error(JSON.stringify(content));
      return structuredContent;
    };
    expect(await call('memory_search', { query: '榫卯' })).toMatchObject({ total_count: 0 });
    await call('memory_add', { content: '榫卯是一种不用钉子的连接', memory_type: 'semantic', context: null });
    expect(await call('memory_search', { query: '榫卯' })).toMatchObject({ memories: [{ type: 'semantic' }] });
    expect(await call('memory_get_profile', {})).toMatchObject({ user_id: '林工', total_memories: 1 });
    await client.close();
    const setUp = mirix.calls.find(({ path }) => path === '/agents/meta/initialize');
    expect(setUp?.body['config']).toEqual({ llm_config: { model: 'm' }, embedding_config: { embedding_model: 'e' } });
    expect([...mirix.items.keys()]).toEqual(['林工']);
  });

  it('mirrors the tools and resources over HTTP', async () => {
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    const more = { LOG_LEVEL: 'info', DEFAULT_USER_ID: 'http-user' };
    const child = spawn(process.execPath, [server, '--http', '0'], { env: { ...env, ...more }, stdio });
    children.push(child);
    const url = await new Promise<string>((resolve, reject) => {
      const lines = createInterface({ input: child.stderr });
      lines.on('line', (line) => {
        const { msg, url: address } = JSON.parse(line) as { msg?: string; url?: string };
        if (msg === 'listening' && address !== undefined) resolve(new URL(address).origin);
      });
      lines.once('close', () => reject(new Error('the server ended before it listened; is it built?')));
    });
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    const added = await post('/tools/memory_add', { content: 'The dock closes at nine', memory_type: 'semantic' });
    expect(added).toEqual({ success: true, message: expect.stringContaining('no ids'), memory_type: 'semantic' });
    const found = (await post('/tools/memory_search', { query: 'dock' })) as { memories: { memory_id: string }[] };
    const read = await fetch(`${url}/resources/memories/${found.memories[0]?.memory_id}`);
    expect(await read.json()).toMatchObject({ content: 'The dock closes at nine' });
    const health = await fetch(`${url}/health`);
    expect([health.status, await health.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'running', backend: 'MIRIX server', chat: false }),
    ]);
  });
});

describe('the checks of a server over MIRIX', () => {
  it('say what works and what is off', async () => {
    expect(await checkTypedMemory(configure())).toMatchObject([
      { name: 'model', status: 'off' },
      { name: 'memories', status: 'ok', detail: 'the MIRIX server answers' },
      { name: 'vault', status: 'off', detail: expect.stringContaining('keeps nothing sealed') },
    ]);
  });

  it('name the setting that is wrong', async () => {
    const [, memories] = await checkTypedMemory(configure({ MIRIX_API_KEY: 'wrong' }));
    expect(memories).toMatchObject({ status: 'failed', detail: expect.stringContaining('MIRIX_API_KEY') });
  });
});

describe('the store that the settings name', () => {
  it('has no vault whose key could be exchanged', async () => {
    const exchange = rotateVault('ann', { store: openStore(configure()), vault: createVault(Buffer.alloc(32)) });
    await expect(exchange).rejects.toThrow('the MIRIX server has no vault of ours');
  });

  it.each([
    [{ MIRIX_BACKEND_URL: 'ftp://x' }, 'MIRIX_BACKEND_URL must be an http or https address'],
    [{ MIRIX_API: 'new' }, 'MIRIX_API must be auto, server or desktop'],
    [{ MIRIX_AGENT_CONFIG: '/nowhere.json' }, 'MIRIX_AGENT_CONFIG must name a JSON file'],
  ])('is not opened with %j', (more, message) => {
    expect(() => openStore(configure(more))).toThrow(message);
  });
});
