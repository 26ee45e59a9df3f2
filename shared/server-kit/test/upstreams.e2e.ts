import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Principal } from '@contextloom/access';
import { createUpstreams, type ServerEntry, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createHttpApp } from '../src/http/app.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { addErrorHandling } from '../src/route/errors.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

function child(name: string, env: Record<string, string> = {}, cwd = '.'): ServerEntry {
  return { command: process.execPath, args: [fixture(name)], env, cwd };
}

let folder: string;
let upstreams: Upstreams | undefined;

function connectTo(entry: ServerEntry): Upstreams {
  upstreams = createUpstreams({
    servers: { other: entry },
    clientName: 'test',
    clientVersion: '0',
    log: silentLog,
    stderr: 'ignore',
  });
  return upstreams;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upstreams-'));
});
afterEach(async () => {
  await upstreams?.close();
  upstreams = undefined;
  await rm(folder, { recursive: true });
});

/** For what hangs: nothing is to fail since the machine is busy. */
const fair = { timeoutMs: 200_000 };

describe('a server of the kit over stdio', () => {
  it('takes and gives messages as large as an HTTP door takes', async () => {
    const text = 'x'.repeat(16 * 1024 * 1024);
    const { call } = connectTo(child('minimal-server.mjs'));
    const answer = await call('other', 'echo', { text }, fair);
    expect(answer.kind === 'ok' && answer.value.structured?.['text'] === text).toBe(true);
  });
});

describe('a server on the 1.x SDK over stdio', () => {
  it('is started at first need and answers', async () => {
    const { call } = connectTo(child('v1-server.mjs'));
    const answer = await call('other', 'echo', { text: '你好\r\n---' }, fair);
    expect(answer).toEqual({ kind: 'ok', value: { text: '你好\r\n---', structured: undefined } });
  });

  it('is started once for many calls, and again after it died', async () => {
    const startsFile = join(folder, 'starts');
    const { call } = connectTo(child('v1-server.mjs', { STARTS_FILE: startsFile }));
    await Promise.all(['a', 'b', 'c'].map((text) => call('other', 'echo', { text }, fair)));
    expect((await readFile(startsFile, 'utf8')).trim().split('\n')).toHaveLength(1);
    expect(await call('other', 'die', {}, fair)).toMatchObject({ kind: 'unavailable' });
    expect(await call('other', 'echo', { text: 'again' }, fair)).toMatchObject({ kind: 'ok' });
    const pids = (await readFile(startsFile, 'utf8')).trim().split('\n');
    expect(pids).toHaveLength(2);
    process.kill(Number(pids[1]), 'SIGKILL');
    let third = await call('other', 'echo', { text: 'third' }, fair);
    // It may still be asked before its end is known.
    while (third.kind === 'unavailable') third = await call('other', 'echo', { text: 'third' }, fair);
    expect(third).toMatchObject({ kind: 'ok' });
  });

  it('tells a tool error, a refused call and a missed deadline apart', async () => {
    const { call } = connectTo(child('v1-server.mjs'));
    expect(await call('other', 'fail', {}, fair)).toEqual({
      kind: 'tool_error',
      reason: 'answered with an error',
      answer: 'foreign words',
    });
    expect((await call('other', 'nothing', {}, fair)).kind).toMatch(/invalid|tool_error/);
    expect(await call('other', 'hang', {}, { timeoutMs: 100 })).toEqual({
      kind: 'timeout',
      reason: 'did not answer within 100 ms',
    });
    expect(await call('other', 'echo', { text: 'still there' }, fair)).toMatchObject({ kind: 'ok' });
  });

  it('passes progress on', async () => {
    const { call } = connectTo(child('v1-server.mjs'));
    const seen: number[] = [];
    await call('other', 'count', {}, { ...fair, onProgress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2]);
  });

  it('gets its own folder and variables, and none of ours', async () => {
    process.env['A_SECRET_OF_OURS'] = 'x';
    const { call } = connectTo(child('v1-server.mjs', { GREETING: '你好' }, folder));
    const answer = await call('other', 'environment', {}, fair);
    delete process.env['A_SECRET_OF_OURS'];
    const { cwd, env } = JSON.parse(answer.kind === 'ok' ? answer.value.text : '{}');
    expect([cwd, env.GREETING, env.A_SECRET_OF_OURS]).toEqual([folder, '你好', undefined]);
  });

  it('lists tools and renders prompts', async () => {
    const { listTools, getPrompt } = connectTo(child('v1-server.mjs'));
    const tools = await listTools('other', fair);
    expect(tools.kind === 'ok' && tools.value.map(({ name }) => name)).toContain('echo');
    expect(await getPrompt('other', 'greeting', {}, fair)).toEqual({ kind: 'ok', value: 'hello' });
  });
});

describe('a server with no SDK at all', () => {
  it('answers', async () => {
    const { call } = connectTo(child('bare-server.mjs'));
    expect(await call('other', 'echo', { text: 'hi' }, fair)).toMatchObject({ kind: 'ok', value: { text: 'hi' } });
  });

  it('that answers rubbish is invalid, one that never speaks is late, one that crashes is unavailable', async () => {
    expect(
      await connectTo(child('bare-server.mjs', { MODE: 'rubbish' })).call('other', 'echo', {}, fair),
    ).toMatchObject({
      kind: 'invalid',
    });
    await upstreams?.close();
    const mute = connectTo(child('bare-server.mjs', { MODE: 'mute' }));
    expect(await mute.call('other', 'echo', {}, { timeoutMs: 300 })).toMatchObject({ kind: 'timeout' });
    await upstreams?.close();
    expect(await connectTo(child('bare-server.mjs', { MODE: 'crash' })).call('other', 'echo', {}, fair)).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('a server that hangs before the handshake and does not end when asked', () => {
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false; // ESRCH: there is no such process.
    }
  };

  it.each([
    ['itself', (file: string) => [process.execPath, file]],
    ['behind a shell', (file: string) => ['sh', '-c', `"${process.execPath}" "${file}"; exit`]],
  ])('is ended with the connection, started %s', async (_name, toCommand) => {
    const pidFile = join(folder, 'pid');
    const [command = '', ...args] = toCommand(fixture('bare-server.mjs'));
    const { call, close } = connectTo({ command, args, env: { MODE: 'stubborn', PID_FILE: pidFile }, cwd: folder });
    expect(await call('other', 'echo', {}, { timeoutMs: 1_000 })).toMatchObject({
      kind: 'timeout',
      reason: 'did not finish the MCP handshake within 1000 ms',
    });
    const readPid = () => readFile(pidFile, 'utf8').catch(() => '');
    // It may not have begun when the deadline was over.
    while ((await readPid()) === '') await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(await readPid());
    expect(isAlive(pid)).toBe(true);
    await close();
    // One that has lost its parent is buried by init, at a time of its own.
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

describe('servers that are not there', () => {
  it('are unavailable, by name', async () => {
    const { call } = connectTo({ command: join(folder, 'no-such-program'), args: [], env: {}, cwd: folder });
    expect(await call('other', 'echo', {}, fair)).toMatchObject({ kind: 'unavailable' });
    expect(await call('stranger', 'echo', {}, fair)).toEqual({
      kind: 'unavailable',
      reason: 'is not configured',
    });
  });

  it('a call that was cancelled is answered at once', async () => {
    const { call } = connectTo(child('v1-server.mjs'));
    const result = await call('other', 'hang', {}, { ...fair, signal: AbortSignal.abort() });
    expect(result.kind).toBe('timeout');
  });
});

describe('servers over streamable HTTP', () => {
  const factory = createMcpServer({ name: 'http', version: '0', operations: [], deps: undefined, log: silentLog });
  let listening: Listening;
  afterEach(() => listening.close());

  it('of both eras are reached', async () => {
    const app = await createHttpApp();
    const endpoint = createMcpEndpoint(factory, { log: silentLog });
    app.all('/mcp', endpoint.handle);
    addErrorHandling(app, { log: silentLog });
    listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    expect(await connectTo({ url: `${listening.url}/mcp`, headers: {} }).listTools('other', fair)).toEqual({
      kind: 'ok',
      value: [],
    });
    await upstreams?.close();
    await endpoint.close();
  });

  it('that speak 2026-07-28 alone are reached too', async () => {
    const { getRequestListener } = await import('@hono/node-server');
    const app = await createHttpApp();
    const { fetch } = createMcpHandler(factory, { legacy: 'reject' });
    const handler = getRequestListener((request) => fetch(request), { overrideGlobalObjects: false });
    app.all('/mcp', (request, response) => void handler(request, response));
    listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    const { listTools } = connectTo({ url: `${listening.url}/mcp`, headers: {} });
    expect(await listTools('other', fair)).toEqual({ kind: 'ok', value: [] });
  });

  it.each([
    ['2025-11-25', 'stateless'],
    ['2026-07-28', 'reject'],
  ] as const)('that speak %s hear for whom a call is made, where it says so', async (_revision, legacy) => {
    const { getRequestListener } = await import('@hono/node-server');
    const app = await createHttpApp();
    const { fetch } = createMcpHandler(factory, { legacy });
    const metas: unknown[] = [];
    const answer = async (request: Request) => {
      const { method, params } = JSON.parse((await request.clone().text()) || '{}');
      if (method === 'tools/call') metas.push(params._meta);
      return fetch(request);
    };
    const handler = getRequestListener(answer, { overrideGlobalObjects: false });
    app.all('/mcp', (request, response) => void handler(request, response));
    listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    const { call } = connectTo({ url: `${listening.url}/mcp`, headers: {} });
    const principal: Principal = { name: 'ann-key', users: ['ann'], projects: 'all', scopes: ['read'] };
    await call('other', 'x', {}, { ...fair, principal, onProgress: () => undefined });
    await call('other', 'x', {}, { ...fair, onProgress: () => undefined });
    expect(metas).toEqual([
      expect.objectContaining({ 'contextloom/principal': principal, progressToken: expect.anything() }),
      expect.not.objectContaining({ 'contextloom/principal': expect.anything() }),
    ]);
  });

  it('that went away are unavailable, and reached again when they are back', async () => {
    const serve = async (port: number): Promise<Listening> => {
      const app = await createHttpApp();
      app.all('/mcp', createMcpEndpoint(factory, { log: silentLog }).handle);
      return listen(app, { host: '127.0.0.1', port, graceMs: 100 });
    };
    listening = await serve(0);
    const { call } = connectTo({ url: `${listening.url}/mcp`, headers: {} });
    expect(await call('other', 'x', {}, fair)).toMatchObject({ kind: 'invalid' });
    await listening.close();
    expect(await call('other', 'x', {}, fair)).toMatchObject({ kind: 'unavailable' });
    listening = await serve(listening.port);
    expect(await call('other', 'x', {}, fair)).toMatchObject({ kind: 'invalid' });
  });
});
