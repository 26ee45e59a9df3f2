import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { built, type RunningKnowledgeBase, startKnowledgeBase } from './support/knowledge-base.ts';
import { newUser, openTestService, openTestStore, vaultKey } from './support/service.ts';

const server = built('typed-memory/dist/server.js');
let folder = '';
let service: RunningKnowledgeBase | undefined;
const children: ChildProcess[] = [];
let endpoint: ScriptedOpenAi | undefined;
let env: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-memory-process-'));
  const args = [built('knowledge-base/dist/server.js')];
  const entry = { command: process.execPath, args, env: { KB_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' } };
  service = await startKnowledgeBase();
  const config = join(folder, 'mcp_config.json');
  await writeFile(config, JSON.stringify({ mcpServers: { 'knowledge-base': entry } }));
  const memories = [{ type: 'core', content: '用户是船匠', context: null, importance: 8 }];
  endpoint = await startScriptedOpenAi({
    chat: ({ body }) => {
      if (JSON.stringify(body.messages).includes('再等一等')) return { kind: 'hang' };
      const isAnswer = body.response_format === undefined;
      return { kind: 'answer', text: isAnswer ? '你好，船匠先生。'.repeat(8) : JSON.stringify({ memories }) };
    },
  });
  env = {
    PATH: process.env['PATH'] ?? '',
    MCP_CONFIG: config,
    LOG_LEVEL: 'silent',
    DEFAULT_USER_ID: '林工',
    KB_URL: service.url,
    LLM_BASE_URL: endpoint.url,
    LLM_API_KEY: endpoint.apiKey,
    AI_MODEL: 'scripted',
    MEMORY_VAULT_KEY: vaultKey.toString('base64'),
  };
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service?.stop();
  await endpoint?.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(more: Record<string, string> = {}, cwd?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [server],
      env: { ...env, ...more },
      ...(cwd && { cwd }),
    }),
  );
  return client;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  onprogress?: (text: string) => void,
) {
  const options = onprogress && {
    onprogress: ({ message }: { message?: string | undefined }) => onprogress(message ?? ''),
  };
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args }, undefined, options);
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
}

/** Serves HTTP on a free port; answers the address once it listens. */
async function startHttp(more: Record<string, string> = {}): Promise<{ url: string; child: ChildProcess }> {
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  const options = { env: { ...env, LOG_LEVEL: 'info', ...more }, stdio };
  const child = spawn(process.execPath, [server, '--http', '0'], options);
  children.push(child);
  if (child.stderr === null) throw new Error('no standard error');
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const { msg, url: address } = JSON.parse(line) as { msg?: string; url?: string };
      if (msg === 'listening' && address !== undefined) resolve(new URL(address).origin);
    });
    lines.once('close', () => reject(new Error('the server ended before it listened; is it built?')));
  });
  return { url, child };
}

describe('over stdio, with a client of the SDK’s first generation', () => {
  it('the flows of the design run: a new user, a question, something learnt', async () => {
    // This one starts the knowledge base of the composition itself.
    const client = await connect({ KB_URL: '' });
    const empty = await call(client, 'memory_get_profile');
    expect(empty).toMatchObject({ user_id: '林工', total_memories: 0 });
    const pieces: string[] = [];
    const chat = await call(client, 'memory_chat', { message: '你好，我是船匠。', memorizing: true }, (text) =>
      pieces.push(text),
    );
    expect(chat).toMatchObject({ success: true, memorized: true, memory_updates: [{ content: '用户是船匠' }] });
    expect(pieces.length).toBeGreaterThan(1);
    expect(chat['response']).toContain(pieces.join(''));
    await call(client, 'memory_add', { content: '工作坊在青岛', memory_type: 'core' });

    const found = await call(client, 'memory_search', { query: '船匠' });
    expect(found['memories']).toMatchObject([{ content: '用户是船匠' }]);
    await call(client, 'memory_chat', { message: '基于记忆，我是做什么的？' });
    expect(JSON.stringify(endpoint?.requests.at(-1)?.body) + JSON.stringify(endpoint?.requests.at(-2)?.body)).toContain(
      '工作坊在青岛',
    );

    expect(await call(client, 'memory_search', { query: '榫卯', memory_types: ['semantic'] })).toMatchObject({
      total_count: 0,
    });
    const learnt = await call(client, 'memory_add', {
      content: '榫卯是一种不用钉子的连接',
      memory_type: 'semantic',
      context: null,
    });
    expect(await call(client, 'memory_search', { query: String(learnt['memory_id']) })).toMatchObject({
      total_count: 1,
    });
    await client.close();
  });
});

describe('in a folder that is nobody’s', () => {
  const { root } = parse(tmpdir());

  it('memories are kept in the composition of the installation', async () => {
    const client = await connect({ KB_URL: '', MCP_CONFIG: '', KB_DATA_DIR: join(folder, 'installed') }, root);
    const { memory_id: id } = await call(client, 'memory_add', { content: 'The dock closes at nine' });
    expect(await call(client, 'memory_search', { query: 'dock' })).toMatchObject({ memories: [{ memory_id: id }] });
    await client.close();
  });

  it('a composition that is not there is named, by a call that adds as by one that searches', async () => {
    const client = await connect({ KB_URL: '', MCP_CONFIG: join(folder, 'absent.json') }, root);
    const problem = `there is no composition ${join(folder, 'absent.json')}`;
    await expect(call(client, 'memory_add', { content: 'The dock closes at nine' })).rejects.toThrow(problem);
    await expect(call(client, 'memory_search', { query: 'dock' })).rejects.toThrow(problem);
    await client.close();
  });
});

describe('over HTTP', () => {
  it('the tools and resources are the same, for the same user', async () => {
    const { url, child } = await startHttp({ DEFAULT_USER_ID: 'http-user' });
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, json: await response.json() };
    };
    const get = async (path: string) => (await fetch(`${url}${path}`)).json();
    const { status, json } = await post('/tools/memory_add', {
      content: 'The dock closes at nine',
      memory_type: 'semantic',
    });
    expect([status, json]).toEqual([200, expect.objectContaining({ success: true, memory_type: 'semantic' })]);
    const { memory_id: id } = json as { memory_id: string };
    expect((await post('/tools/memory_search', { query: 'dock' })).json).toMatchObject({
      memories: [{ memory_id: id }],
    });
    expect(await get(`/resources/memories/${id}`)).toMatchObject({ content: 'The dock closes at nine' });
    expect(await get('/resources/memory/stats')).toMatchObject({ user_id: 'http-user', total_memories: 1 });
    expect(await get('/resources/status')).toMatchObject({ status: 'running', backend: 'knowledge base', chat: true });
    expect(await get('/health')).toMatchObject({ status: 'running' });
    expect((await post('/tools/memory_chat', { message: 'hi', memorizing: false })).json).toMatchObject({
      memorized: false,
    });
    expect(await post('/tools/memory_search', { query: 'x', limit: 99 })).toMatchObject({
      status: 422,
      json: { success: false, error: { field: 'limit' } },
    });
    expect((await post('/tools/memory_search', { query: 'x', user_id: 'ann' })).status).toBe(403);
    const caller = new AbortController();
    const [method, headers] = ['POST', { 'content-type': 'application/json' }];
    const init = { method, headers, body: '{"message":"再等一等"}', signal: caller.signal };
    const waiting = fetch(`${url}/tools/memory_chat`, init);
    const ended = expect(waiting).rejects.toThrow();
    // The answer, and what to keep.
    while ((endpoint?.open() ?? 0) < 2) await new Promise(setImmediate);
    caller.abort();
    await ended;
    while ((endpoint?.open() ?? 0) > 0) await new Promise(setImmediate);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});

describe('the command line', () => {
  const run = async (words: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [server, ...words], { env: { ...env, ...more } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  };

  it('exchanges the key of the vault', async () => {
    const [user, newKey, store] = [newUser(), randomBytes(32), openTestStore(service?.url ?? '')];
    const before = await openTestService({ store });
    const secret = { content: 'Qw7!-harbour', type: 'knowledge_vault', context: '码头门禁' } as const;
    const { signal } = new AbortController();
    await before.memory.remember(user, { ...secret, signal });
    const keys = {
      DEFAULT_USER_ID: user,
      MEMORY_VAULT_KEY: newKey.toString('base64'),
      MEMORY_VAULT_OLD_KEY: vaultKey.toString('base64'),
    };
    const { code, stdout } = await run(['--rotate-vault-key'], keys);
    expect([code, JSON.parse(stdout)]).toEqual([0, { user_id: user, sealed: 1, current: 0, left: [] }]);
    const after = await openTestService({ store, key: newKey });
    const asked = { query: '门禁', types: ['knowledge_vault'], limit: 5, isRevealing: true } as const;
    expect(await after.memory.recall(user, asked)).toMatchObject([{ content: 'Qw7!-harbour' }]);
  });

  it('says which keys an exchange needs', async () => {
    const { code, stderr } = await run(['--rotate-vault-key']);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining('MEMORY_VAULT_OLD_KEY')]);
  });
});
