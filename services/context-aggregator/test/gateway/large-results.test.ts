import { silentLog } from '@contextloom/runtime';
import { createApi, createMcpEndpoint, type Listening, listen, type McpEndpoint } from '@contextloom/server-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestGateway, type TestGateway } from '../support/gateway.ts';
import { type RawUpstream, startRawUpstream } from '../support/raw-upstream.ts';

const LARGE = 'x'.repeat(100_000);
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

let upstream: RawUpstream;
let gateway: TestGateway;
let mcp: McpEndpoint;
let endpoint: Listening;
let session: string;

beforeAll(async () => {
  upstream = await startRawUpstream();
  gateway = createTestGateway({ urls: { raw: upstream.address } });
  // Whatever the machine is busy with, an answer is plain JSON.
  mcp = createMcpEndpoint(gateway.factory, { log: silentLog, drainMs: 0, patienceMs: 600_000 });
  const api = createApi({ title: 'g', description: 'g', version: '0', routes: [], deps: {}, log: silentLog });
  endpoint = await listen(await api.toApp({ mcp }), { host: '127.0.0.1', port: 0, graceMs: 0 });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } };
  const shaken = await post({ id: 1, method: 'initialize', params });
  session = shaken.headers.get('mcp-session-id') ?? '';
});
afterAll(async () => {
  await Promise.all([mcp.close(), endpoint.close()]);
  await gateway.close();
  await upstream.close();
});

function post(message: object): Promise<Response> {
  const own = session === undefined ? headers : { ...headers, 'mcp-session-id': session };
  return fetch(`${endpoint.url}/mcp`, {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

const call = async (id: number): Promise<string> =>
  (await post({ id, method: 'tools/call', params: { name: 'raw__any', arguments: {} } })).text();

it('a large result reaches its client byte for byte, under the id of its call', async () => {
  const result = `{"content": [{"type":"text","text":"${LARGE} \\u00e9 茶"}], "structuredContent":{"n":12345678901234567890,"f":1.0}}`;
  upstream.answer = `"result":${result}`;
  expect(await call(7)).toBe(`{"jsonrpc":"2.0","id":7,"result":${result}}`);
});

it('what stands next to a large result does not reach its client', async () => {
  const result = `{"content":[{"type":"text","text":"${LARGE}"}]}`;
  upstream.answer = `"result":${result},"jsonrpc":"2.0"`;
  expect(JSON.parse(await call(8))).toEqual({ jsonrpc: '2.0', id: 8, result: JSON.parse(result) });
});
