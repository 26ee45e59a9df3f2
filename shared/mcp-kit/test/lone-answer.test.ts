import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMcpEndpoint, createMcpServer, defineOperation, type McpEndpoint, silentLog } from '../src/index.ts';

const echo = defineOperation({
  name: 'echo',
  title: 'Echo',
  description: 'Answers a text, after some steps and some time.',
  input: z.object({ text: z.string(), steps: z.number().default(0), waitMs: z.number().default(0) }),
  output: z.object({ text: z.string() }),
  effect: 'reads',
  scope: 'none',
  run: async ({ text, steps, waitMs }, { reportProgress }) => {
    for (let step = 1; step <= steps; step += 1) reportProgress(step, steps);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return { text };
  },
});

let endpoint: McpEndpoint;
let session = '';

/** An answer may take so long to be plain JSON, in milliseconds. */
async function open(patienceMs: number): Promise<void> {
  const server = createMcpServer({ name: 'echo', version: '1', operations: [echo], deps: {}, log: silentLog });
  endpoint = createMcpEndpoint(server, { log: silentLog, drainMs: 0, patienceMs });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  session = '';
  const begun = await send({ id: 0, method: 'initialize', params });
  session = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
}
afterEach(() => endpoint.close());

/** Longer than any test takes. */
const LONG_MS = 600_000;

function send(message: object): Promise<Response> {
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(session !== '' && { 'mcp-session-id': session }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return endpoint.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
}

let id = 0;

const call = (input: object, progressToken?: string): Promise<Response> => {
  id += 1;
  const _meta = progressToken === undefined ? {} : { progressToken };
  return send({ id, method: 'tools/call', params: { name: 'echo', arguments: input, _meta } });
};

const typeOf = (response: Response): string | null => response.headers.get('content-type');

describe('a call in a session', () => {
  it.each([
    ['a word', 'hello'],
    ['what looks like events', 'data: x\n\ndata: {"id": 1}\n\n: end'],
    ['several bytes a character', '茶🍵'.repeat(1_000)],
    ['a million characters', 'x'.repeat(1_000_000)],
  ])('is answered as plain JSON: %s', async (_what, text) => {
    await open(LONG_MS);
    const response = await call({ text });
    expect(typeOf(response)).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBe(session);
    expect(await response.json()).toMatchObject({ id, result: { structuredContent: { text } } });
  });

  it('is answered as events where it tells its progress', async () => {
    await open(LONG_MS);
    const response = await call({ text: 'done', steps: 3, waitMs: 50 }, 'token');
    expect(typeOf(response)).toBe('text/event-stream');
    const events = (await response.text()).match(/^data: .+$/gm)?.map((line) => JSON.parse(line.slice(6)));
    expect(events).toHaveLength(4);
    expect(events?.at(0)).toMatchObject({ method: 'notifications/progress', params: { progress: 1 } });
    expect(events?.at(-1)).toMatchObject({ id, result: { structuredContent: { text: 'done' } } });
  });

  it('is answered as an event where it takes a while, so that its client knows that it is answered', async () => {
    await open(1);
    const response = await call({ text: 'late', waitMs: 100 });
    expect(typeOf(response)).toBe('text/event-stream');
    expect(await response.text()).toContain('"late"');
  });

  it('goes on where its client stops reading', async () => {
    await open(1);
    const response = await call({ text: 'unread', waitMs: 100 });
    await response.body?.cancel();
    expect(await (await call({ text: 'next' })).text()).toContain('"next"');
  });
});
