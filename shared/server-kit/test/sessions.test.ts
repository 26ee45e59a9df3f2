import { silentLog } from '@contextloom/runtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMcpEndpoint, type McpEndpoint } from '../src/http/mcp-endpoint.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

let letGo: () => void;
let begun: Promise<void>;
let endpoint: McpEndpoint;

beforeEach(() => {
  let tellBegun = (): void => undefined;
  begun = new Promise((resolve) => {
    tellBegun = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const wait = defineOperation({
    name: 'wait',
    title: 'Wait',
    description: 'Answers once the test lets it.',
    input: z.object({}),
    output: z.object({ done: z.boolean() }),
    effect: 'reads',
    scope: 'none',
    run: async () => {
      tellBegun();
      await gate;
      return { done: true };
    },
  });
  const server = { name: 'waiting', version: '1', operations: [wait], deps: undefined, log: silentLog };
  endpoint = createMcpEndpoint(createMcpServer(server), {
    log: silentLog,
    maxSessions: 6,
    maxSessionsPerCaller: 4,
    drainMs: 60_000,
  });
});

interface Sent {
  readonly session?: string;
  readonly caller?: string;
  readonly method?: string;
}

function send(body: object | undefined, { session, caller = 'ann', method = 'POST' }: Sent = {}): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return endpoint.fetch(new Request('http://127.0.0.1/mcp', init), { caller });
}

const request = (id: number | string, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

async function openSession(caller = 'ann'): Promise<string> {
  const response = await send(initialize, { caller });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

const isThere = async (session: string): Promise<boolean> => {
  const response = await send(request('there', 'ping'), { session });
  await response.text();
  return response.status === 200;
};

/** The message of an answer, whether it came alone or in an event stream. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

const callWait = request(7, 'tools/call', { name: 'wait', arguments: {} });
const answered = { id: 7, result: { structuredContent: { done: true } } };

describe('two requests with one id in a session', () => {
  it('at once: the second is refused under its id, and the first is answered', async () => {
    const session = await openSession();
    const first = send(callWait, { session });
    await begun;
    const second = await send(callWait, { session });
    expect([second.status, await second.json()]).toEqual([
      409,
      {
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -32_600,
          message: 'another request with the id 7 is under way in this session: use another id',
        },
      },
    ]);
    letGo();
    expect(await read(await first)).toMatchObject(answered);
  });

  it('in one message are refused', async () => {
    const session = await openSession();
    expect((await send([request(1, 'ping'), request(1, 'ping')], { session })).status).toBe(409);
    expect(await isThere(session)).toBe(true);
  });

  it.each([
    ['101 with one id', 101, () => 1],
    ['100,000 with ids of their own', 100_000, (at: number) => at],
  ])('a batch of %s is refused before its ids are looked at', async (_name, count, toId) => {
    const session = await openSession();
    const batch = Array.from({ length: count }, (_, at) => request(toId(at), 'ping'));
    const refused = await send(batch, { session });
    expect([refused.status, await refused.json()]).toEqual([
      413,
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'a batch may have at most 100 messages' } },
    ]);
    expect(await isThere(session)).toBe(true);
  });

  it('one after the other are both answered, also when the first was refused', async () => {
    const session = await openSession();
    letGo();
    expect(await read(await send(callWait, { session }))).toMatchObject(answered);
    expect(await read(await send(callWait, { session }))).toMatchObject(answered);
    const headers = { 'content-type': 'application/json', accept: 'text/plain', 'mcp-session-id': session };
    const body = JSON.stringify(callWait);
    const refused = await endpoint.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
    expect(refused.status).toBe(406);
    expect(await read(await send(callWait, { session }))).toMatchObject(answered);
  });
});

describe('sessions beyond the limit', () => {
  it('make way: unused ones first, then the one unused for longest, never one that answers or listens', async () => {
    const [listening, answering, used] = [await openSession(), await openSession(), await openSession()];
    const stream = await send(undefined, { session: listening, method: 'GET' });
    expect(stream.status).toBe(200);
    const call = send(callWait, { session: answering });
    await begun;
    expect(await isThere(used)).toBe(true);
    for (let n = 0; n < 30; n += 1) await openSession();
    expect(await isThere(used)).toBe(true);
    expect(await isThere(listening)).toBe(true);
    letGo();
    expect(await read(await call)).toMatchObject(answered);
    await stream.body?.cancel();
  });

  it('are refused with 429 while none of the caller is idle, and others are not touched', async () => {
    const other = await openSession('bob');
    const sessions = [];
    for (let n = 0; n < 4; n += 1) sessions.push(await openSession());
    const streams = await Promise.all(sessions.map((session) => send(undefined, { session, method: 'GET' })));
    const refused = await send(initialize);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { message: 'too many sessions are in use: end one, or try again later' } },
    ]);
    expect(await isThere(other)).toBe(true);
    await streams[0]?.body?.cancel();
    expect(await openSession()).not.toBe('');
  });

  it('of many that begin at once are counted too', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession()));
    const there = await Promise.all(sessions.filter((session) => session !== '').map(isThere));
    expect(there.filter(Boolean)).toHaveLength(4);
  });

  it('an open one is not closed by what is no handshake', async () => {
    const session = await openSession();
    for (let n = 0; n < 10; n += 1) await (await send(request(n, 'ping'))).text();
    expect(await isThere(session)).toBe(true);
  });
});

describe('closing', () => {
  it('waits for calls under way, and ends streams that only listen', async () => {
    const session = await openSession();
    const stream = await send(undefined, { session, method: 'GET' });
    const call = send(callWait, { session });
    await begun;
    const closed = endpoint.close();
    letGo();
    expect(await read(await call)).toMatchObject(answered);
    await closed;
    await stream.text();
    expect(await isThere(session)).toBe(false);
  });
});
