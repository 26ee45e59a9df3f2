import { request as send } from 'node:http';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

let release = (): void => undefined;
let begun = Promise.resolve();

const echo = defineOperation({
  name: 'echo',
  title: 'Echo',
  description: 'Answers a text, after some steps, and once the test lets it.',
  input: z.object({ text: z.string(), steps: z.number().default(0), waits: z.boolean().default(false) }),
  output: z.object({ text: z.string() }),
  effect: 'reads',
  scope: 'none',
  run: async ({ text, steps, waits }, { reportProgress }) => {
    for (let step = 1; step <= steps; step += 1) reportProgress(step, steps);
    if (waits) await gate();
    return { text };
  },
});

let gate = async (): Promise<void> => undefined;
/** Has calls that wait begin, and go on when they are released. */
function closeGate(): void {
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  begun = new Promise((tell) => {
    gate = () => {
      tell();
      return opened;
    };
  });
}

const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
let endpoint: Listening;
let close = async (): Promise<void> => undefined;
let session = '';
/** Longer than any test takes. */
const LONG_MS = 600_000;

async function open(patienceMs = LONG_MS): Promise<void> {
  const server = createMcpServer({ name: 'echo', version: '1', operations: [echo], deps: {}, log: silentLog });
  const mcp = createMcpEndpoint(server, { log: silentLog, drainMs: 0, patienceMs });
  const api = createApi({ title: 'e', description: 'e', version: '1', routes: [], deps: {}, log: silentLog });
  endpoint = await listen(await api.toApp({ mcp }), { host: '127.0.0.1', port: 0, graceMs: 0 });
  close = async () => {
    await mcp.close();
    await endpoint.close();
  };
  session = '';
  const shaken = await post({ id: 0, method: 'initialize', params: handshake });
  session = shaken.headers.get('mcp-session-id') ?? '';
  await shaken.text();
}

const headers = (): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(session !== '' && { 'mcp-session-id': session }),
});

const post = (message: object | string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${endpoint.url}/mcp`, {
    method: 'POST',
    headers: { ...headers(), ...more },
    body: typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

let id = 0;
function call(input: object, progressToken?: string): Promise<Response> {
  id += 1;
  const _meta = progressToken === undefined ? {} : { progressToken };
  return post({ id, method: 'tools/call', params: { name: 'echo', arguments: input, _meta } });
}

const typeOf = (response: Response): string | null => response.headers.get('content-type');
const eventsOf = async (response: Response): Promise<readonly unknown[]> =>
  ((await response.text()).match(/^data: .+$/gm) ?? []).map((line) => JSON.parse(line.slice(6)));

beforeEach(closeGate);
afterEach(async () => {
  release();
  await close();
});

describe('a call in a session', () => {
  it.each([
    ['a word', 'hello'],
    ['what looks like events', 'data: x\n\ndata: {"id": 1}\n\n: end'],
    ['several bytes a character', '茶🍵'.repeat(1_000)],
    ['ten million characters', 'x'.repeat(10_000_000)],
  ])('is answered as plain JSON: %s', async (_what, text) => {
    await open();
    const response = await call({ text });
    expect([response.status, typeOf(response)]).toEqual([200, 'application/json']);
    expect(response.headers.get('mcp-session-id')).toBe(session);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ id, result: { structuredContent: { text } } });
  });

  it('is answered as events where it tells its progress, which come before the answer does', async () => {
    await open();
    const response = await call({ text: 'done', steps: 3, waits: true }, 'token');
    await begun;
    expect(typeOf(response)).toBe('text/event-stream');
    release();
    const events = await eventsOf(response);
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({ method: 'notifications/progress', params: { progress: 1 } });
    expect(events[3]).toMatchObject({ id, result: { structuredContent: { text: 'done' } } });
  });

  it('is answered as an event where it takes a while, so that its client knows that it is answered', async () => {
    await open(1);
    const response = await call({ text: 'late', waits: true });
    expect(typeOf(response)).toBe('text/event-stream');
    release();
    expect(await eventsOf(response)).toMatchObject([{ id, result: { structuredContent: { text: 'late' } } }]);
  });

  it.each([1, LONG_MS])(
    'goes on where its client is gone, and others are answered (patience %d ms)',
    async (patience) => {
      await open(patience);
      const leaving = new AbortController();
      const params = { name: 'echo', arguments: { text: 'unread', waits: true } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'left', method: 'tools/call', params });
      const left = fetch(`${endpoint.url}/mcp`, { method: 'POST', headers: headers(), body, signal: leaving.signal });
      await begun;
      leaving.abort();
      await expect(left.then((response) => response.text())).rejects.toThrow();
      expect(await (await call({ text: 'next' })).text()).toContain('"next"');
      release();
      // Its id is free once it has ended.
      const again = async (): Promise<number> => {
        const response = await post({ id: 'left', method: 'ping' });
        await response.text();
        return response.status === 409 ? again() : response.status;
      };
      expect(await again()).toBe(200);
    },
  );

  it('ends with its session, without an answer', async () => {
    await open();
    const waiting = call({ text: 'never', waits: true });
    await begun;
    expect((await fetch(`${endpoint.url}/mcp`, { method: 'DELETE', headers: headers() })).status).toBe(200);
    expect(await eventsOf(await waiting)).toEqual([]);
    expect((await call({ text: 'late' })).status).toBe(404);
  });
});

describe('what is no call, or none that is usual', () => {
  it('is answered as by the SDK: notifications, batches, unknown methods, another handshake', async () => {
    await open();
    expect((await post({ method: 'notifications/initialized' })).status).toBe(202);
    const batch = [1, 2].map((one) => ({ jsonrpc: '2.0', id: one, method: 'ping' }));
    expect((await eventsOf(await post(JSON.stringify(batch)))).length).toBe(2);
    expect(await (await post({ id: 'x', method: 'no/such' })).json()).toMatchObject({ error: { code: -32_601 } });
    expect((await post({ id: 9, method: 'initialize', params: handshake })).status).toBe(400);
  });

  it.each([
    ['no JSON', '{"jsonrpc": "2.0", ', 400, -32_700],
    ['no UTF-8', '\ud800', 400, -32_700],
    ['nested too deep', '['.repeat(300), 400, -32_700],
    ['no message', '{"id": 1}', 400, -32_600],
    ['a text', '"ping"', 400, -32_600],
    ['nothing', '', 400, -32_700],
    ['a batch of 101', JSON.stringify(Array(101).fill({ jsonrpc: '2.0', id: 1, method: 'ping' })), 413, -32_600],
  ])('is refused and leaves the session usable: %s', async (what, body, status, code) => {
    await open();
    const bytes = what === 'no UTF-8' ? Buffer.from([0x22, 0xff, 0x22]) : Buffer.from(body);
    const refused = await fetch(`${endpoint.url}/mcp`, { method: 'POST', headers: headers(), body: bytes });
    expect([refused.status, await refused.json()]).toMatchObject([status, { id: null, error: { code } }]);
    expect((await call({ text: 'next' })).status).toBe(200);
  });

  it.each([
    ['a type that is not JSON', { 'content-type': 'text/plain' }, 415],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['compressed', { 'content-encoding': 'gzip' }, 415],
    ['events not accepted', { accept: 'application/json' }, 406],
    ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['another session', { 'mcp-session-id': 'other' }, 404],
    ['a foreign page', { origin: 'https://example.com' }, 403],
  ])('by its headers is refused: %s', async (_what, more, status) => {
    await open();
    const refused = await post({ id: 1, method: 'ping' }, more);
    await refused.text();
    expect(refused.status).toBe(status);
    expect((await call({ text: 'next' })).status).toBe(200);
  });

  it('is read to the end in pieces, and refused above 16 MiB', async () => {
    await open();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'é' } } };
    const bytes = Buffer.from(JSON.stringify(message));
    const answered = await new Promise<string>((resolve, reject) => {
      const options = { method: 'POST', headers: { ...headers(), 'content-length': bytes.length } };
      const sending = send(`${endpoint.url}/mcp`, options, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      });
      sending.once('error', reject);
      const cut = bytes.indexOf(0xc3) + 1; // In the middle of a character.
      sending.write(bytes.subarray(0, cut), () => sending.end(bytes.subarray(cut)));
    });
    expect(JSON.parse(answered)).toMatchObject({ result: { structuredContent: { text: 'é' } } });
    const large = await post({ id: 2, method: 'ping', params: { x: 'x'.repeat(16 * 1024 * 1024) } }).catch(
      () => undefined,
    );
    expect(large?.status ?? 413).toBe(413);
    expect((await call({ text: 'next' })).status).toBe(200);
  });
});
