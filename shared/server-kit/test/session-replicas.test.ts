import { localPrincipal, toAuthInfo } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMcpEndpoint, type McpEndpoint } from '../src/http/mcp-endpoint.ts';
import { createSessionSeal } from '../src/http/session-seal.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

const SECRET = 'a secret of at least thirty-two characters';

let now: number;
beforeEach(() => {
  now = 1_000;
});

function createReplica(name: string, secret = SECRET): McpEndpoint {
  const which = defineOperation({
    name: 'which',
    title: 'Which',
    description: 'Says which replica answers.',
    input: z.object({}),
    output: z.object({ name: z.string() }),
    effect: 'reads',
    scope: 'none',
    run: async () => ({ name }),
  });
  const server = { name: 'replica', version: '1', operations: [which], deps: undefined, log: silentLog };
  return createMcpEndpoint(createMcpServer(server), {
    log: silentLog,
    seal: createSessionSeal(secret, () => now),
    maxSessions: 4,
    maxSessionsPerCaller: 2,
  });
}

interface Sent {
  readonly session?: string;
  readonly user?: string;
  readonly method?: string;
}

function send(replica: McpEndpoint, body: object | undefined, sent: Sent = {}): Promise<Response> {
  const { session, user = 'ann', method = 'POST' } = sent;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const authInfo = toAuthInfo({ ...localPrincipal, name: user }, { caller: user });
  return replica.fetch(new Request('http://127.0.0.1/mcp', init), { caller: user, authInfo });
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'test', version: '1' },
});

async function openSession(replica: McpEndpoint, user = 'ann'): Promise<string> {
  const response = await send(replica, initialize, { user });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

async function ask(replica: McpEndpoint, session: string, user = 'ann', id = 1): Promise<unknown> {
  const response = await send(replica, request(id, 'tools/call', { name: 'which', arguments: {} }), { session, user });
  const text = await response.text();
  if (response.status !== 200) return response.status;
  const { result } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
  return result.structuredContent.name;
}

describe('a session over replicas', () => {
  it('is answered by every one of them, also calls that come at once', async () => {
    const [a, b] = [createReplica('a'), createReplica('b')];
    const session = await openSession(a);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at % 2 ? b : a, session, 'ann', at)));
    expect(answers).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 ? 'b' : 'a')));
    // A resumed session has the same rules as one that began here.
    expect((await send(b, initialize, { session })).status).toBe(400);
  });

  it('goes on after its replica is gone, and after it made way for another', async () => {
    const a = createReplica('a');
    const session = await openSession(a);
    for (let at = 0; at < 3; at += 1) await openSession(a);
    expect(await ask(a, session)).toBe('a');
    await a.close();
    expect(await ask(createReplica('c'), session)).toBe('c');
  });

  it('is nobody else’s, and not found under another secret, altered or too old', async () => {
    const [a, b] = [createReplica('a'), createReplica('b')];
    const session = await openSession(a);
    expect(await ask(b, session, 'bob')).toBe(404);
    expect(await ask(createReplica('c', `${SECRET}!`), session)).toBe(404);
    const altered = `${session.slice(0, 20)}${session[20] === 'A' ? 'B' : 'A'}${session.slice(21)}`;
    for (const one of [altered, session.slice(1), 'x', crypto.randomUUID()]) expect(await ask(b, one)).toBe(404);
    now += 8 * 86_400_000;
    expect(await ask(b, session)).toBe(404);
    const missing = await send(b, request(1, 'ping'), { session });
    expect(await missing.json()).toMatchObject({ error: { code: -32_001, message: 'Session not found' } });
  });

  it('that its client ended is gone at the replica that was told', async () => {
    const [a, b] = [createReplica('a'), createReplica('b')];
    const session = await openSession(a);
    expect(await ask(b, session)).toBe('b');
    expect((await send(b, undefined, { session, method: 'DELETE' })).status).toBe(200);
    expect(await ask(b, session)).toBe(404);
  });

  it('makes way for another of its caller, and is gone on with', async () => {
    const [a, b] = [createReplica('a'), createReplica('b')];
    const sessions: string[] = [];
    for (let at = 0; at < 5; at += 1) sessions.push(await openSession(a));
    expect(new Set(sessions).size).toBe(5);
    for (const session of sessions) expect(await ask(b, session)).toBe('b');
    for (const session of sessions) expect(await ask(b, session)).toBe('b');
  });
});
