import { connect } from 'node:net';
import { ContextloomError, userIdSchema } from '@contextloom/contracts';
import { MAX_BODY_BYTES, silentLog } from '@contextloom/runtime';
import { connectOverHttp } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createHttpApp, readJsonBodies } from '../src/http/app.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createMcpEndpoint, type McpEndpoint } from '../src/http/mcp-endpoint.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { addErrorHandling } from '../src/route/errors.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

let listening: Listening;

beforeEach(async () => {
  const app = await createHttpApp({ allowedHosts: ['kb.example'] });
  await readJsonBodies(app);
  app.post('/echo', (request, response) => {
    response.json({ body: request.body ?? null });
  });
  app.get('/fail', () => {
    throw new Error('SELECT * FROM secrets');
  });
  app.get('/full', () => {
    throw new ContextloomError('no_space', 'no space left', { cause: new Error('SQLITE_FULL') });
  });
  addErrorHandling(app, { log: silentLog });
  listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
});
afterEach(() => listening.close());

/** Sends raw HTTP, since fetch does not let a caller choose its Host. */
function sendRaw(headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(listening.port, '127.0.0.1', () =>
      socket.end(`GET /echo HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${listening.url}/echo`, { method: 'POST', body, headers });

describe('an MCP endpoint', () => {
  const echo = defineOperation({
    name: 'echo',
    title: 'Echo',
    description: 'Answers with the user it was asked for.',
    input: z.object({ user_id: userIdSchema }),
    output: z.object({ user_id: z.string() }),
    effect: 'reads',
    scope: 'none',
    run: ({ user_id }) => ({ user_id }),
  });
  let endpoint: McpEndpoint;
  let mcp: Listening;
  beforeEach(async () => {
    const app = await createHttpApp();
    const server = { name: 'echo', version: '1', operations: [echo], deps: undefined, log: silentLog };
    endpoint = createMcpEndpoint(createMcpServer(server), { log: silentLog });
    app.all('/mcp', endpoint.handle);
    mcp = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
  });
  afterEach(async () => {
    await endpoint.close();
    await mcp.close();
  });

  const call = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${mcp.url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const toCall = (user: string): Uint8Array<ArrayBuffer> =>
    Buffer.from(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"user_id":"${user}"}}}`,
      'latin1',
    );
  const [zhang, li] = ['\xd5\xc5\xc8\xfd', '\xc0\xee\xcb\xc4']; // 张三 and 李四 in GBK.

  it.each([zhang, li])('refuses bytes that are no UTF-8, which would all become the same user', async (user) => {
    expect(await call(toCall(user))).toEqual({
      status: 400,
      json: { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'the body is not valid UTF-8' } },
    });
  });

  it.each(['charset=gbk', 'Charset="GBK"', 'charset=utf-16', 'charset=latin1', 'a=b; charset=gb18030'])(
    'refuses %s',
    async (parameter) => {
      const answer = await call(toCall('zhang'), { 'content-type': `application/json; ${parameter}` });
      expect(answer).toMatchObject({ status: 415, json: { error: { message: 'the charset must be UTF-8' } } });
    },
  );

  it('checks the body before it is parsed, as REST does', async () => {
    expect((await call(`[${'{},'.repeat(250_000)}{}]`)).status).toBe(413);
    expect((await call(`[${'1,'.repeat(1_000_000)}1]`)).status).toBe(413);
    expect((await call('['.repeat(300) + ']'.repeat(300))).status).toBe(400);
    expect((await call('{"a":')).json.error.message).toBe('the body is not valid JSON');
    expect((await call('')).status).toBe(400);
    expect((await call('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await call(JSON.stringify('x'.repeat(MAX_BODY_BYTES)))).status).toBe(413);
  });

  it.each(['2025-11-25', '2026-07-28'])('answers a client of %s in UTF-8', async (revision) => {
    const client = await connectOverHttp(new URL(`${mcp.url}/mcp`), revision);
    expect((await client.callTool('echo', { user_id: '张三' })).structured).toEqual({ user_id: '张三' });
    expect((await client.callTool('echo', { user_id: '\ufffd' })).text).toContain('user_id must not contain U+FFFD');
    await client.close();
  });
});

describe('an HTTP door', () => {
  it('reads JSON', async () => {
    expect(await (await post('{"a":"你好"}')).json()).toEqual({ body: { a: '你好' } });
    expect(await (await post('[1]')).json()).toEqual({ body: [1] });
  });

  it.each([
    ['{"a":', { 'content-type': 'application/json' }, 400, 'malformed'],
    ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['{}', { 'content-type': 'application/json; charset=latin9' }, 415, 'unsupported_media_type'],
    ['{}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported_media_type'],
    ['no gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 400, 'malformed'],
  ])('refuses %j sent as %j', async (body, headers, status, code) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, error: { code }, detail: expect.any(String) });
  });

  it('refuses bytes that are no UTF-8, which would all become the same character', async () => {
    expect((await post(Uint8Array.of(0x22, 0xff, 0x22))).status).toBe(400);
  });

  it('counts brackets before they are parsed, but none inside a text', async () => {
    expect((await post('['.repeat(300) + ']'.repeat(300))).status).toBe(400);
    expect((await post(`[${'{},'.repeat(250_000)}{}]`)).status).toBe(413);
    expect((await post(`[${'1,'.repeat(1_000_000)}1]`)).status).toBe(413);
    expect((await post(`[${'{},'.repeat(249_998)}{}]`)).status).toBe(200);
    const text = JSON.stringify(`\\"${'[{'.repeat(300)}\\`);
    expect(await (await post(text)).json()).toEqual({ body: JSON.parse(text) });
  });

  it('refuses a body that is too large', async () => {
    const response = await post(JSON.stringify('x'.repeat(MAX_BODY_BYTES)));
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'too_large',
    ]);
  });

  it('answers unknown routes and broken paths as client errors', async () => {
    expect((await fetch(`${listening.url}/nothing`)).status).toBe(404);
    expect((await fetch(`${listening.url}/%E0%A4%A`)).status).toBe(404);
  });

  it('keeps foreign text to itself when it fails', async () => {
    const failed = await fetch(`${listening.url}/fail`);
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('SELECT')]);
    const full = await fetch(`${listening.url}/full`);
    expect([full.status, await full.json()]).toEqual([
      507,
      { success: false, error: { code: 'no_space', message: 'no space left' }, detail: 'no space left' },
    ]);
  });

  it('refuses a foreign Host or Origin, so that a web page cannot reach it by DNS rebinding', async () => {
    expect(await sendRaw('Host: evil.example')).toContain('403 Forbidden');
    expect(await sendRaw(`Host: 127.0.0.1:${listening.port}\r\nOrigin: https://evil.example`)).toContain(
      '403 Forbidden',
    );
    expect(await sendRaw('Host: kb.example:80')).toContain('404 Not Found');
    expect(await sendRaw(`Host: localhost\r\nOrigin: http://localhost:3000`)).toContain('404 Not Found');
  });

  it('names a port that is in use', async () => {
    await expect(listen(() => undefined, { host: '127.0.0.1', port: listening.port })).rejects.toMatchObject({
      code: 'conflict',
      message: `port ${listening.port} on 127.0.0.1 is in use by another program; choose another port`,
    });
  });
});
