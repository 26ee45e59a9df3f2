import { silentLog } from '@contextloom/runtime';
import { createHttpApp, createMcpEndpoint, type Listening, listen } from '@contextloom/server-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { createTestGateway, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    level: { type: 'integer', 'x-mcp-header': 'Level' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    where: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
    plain: { type: 'string' },
  },
} as const;

/** The SDK's own server compares the headers with what a call says. */
function createDeploying(): McpServer {
  const server = new McpServer({ name: 'deploying', version: '1' });
  server.registerTool('deploy', { inputSchema: fromJsonSchema(inputSchema) }, (args, { http }) => {
    const shown = [...(http?.req?.headers ?? [])].filter(([name]) => name.startsWith('mcp-param-'));
    return { content: [{ type: 'text', text: JSON.stringify({ args, shown: Object.fromEntries(shown) }) }] };
  });
  return server;
}

let upstream: RunningUpstream;
let gateway: TestGateway;
let listening: Listening;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  upstream = await startUpstream(createDeploying, 'modern');
  gateway = createTestGateway({ urls: { prod: upstream.address } });
  const endpoint = createMcpEndpoint(gateway.factory, { log: silentLog, drainMs: 0 });
  const app = await createHttpApp();
  app.all('/mcp', endpoint.handle);
  listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 0 });
  closing.push(upstream.close, gateway.close, listening.close, endpoint.close);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function connect(era: 'legacy' | 'modern'): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  closing.push(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${listening.url}/mcp`)));
  return client;
}

const args = { region: 'eu-west 1', level: 3, dry: false, where: { city: '東京' }, plain: 'x' };
const city = `=?base64?${Buffer.from('東京').toString('base64')}?=`;
const shown = {
  'mcp-param-region': 'eu-west 1',
  'mcp-param-level': '3',
  'mcp-param-dry': 'false',
  'mcp-param-city': city,
};

describe('a tool that has values of its call repeated in headers', () => {
  it.each(['legacy', 'modern'] as const)('can be called by a client of the %s era', async (era) => {
    const client = await connect(era);
    await client.listTools();
    const { content } = await client.callTool({ name: 'prod__deploy', arguments: args });
    expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toEqual({ args, shown });
  });

  it.each(['', ' edge ', '=?base64?eA==?=', 'a\nb', '茶🍵', '~!@#', 'tab\there'])(
    'gets %j as it was said',
    async (region) => {
      const client = await connect('legacy');
      const { content, isError } = await client.callTool({ name: 'prod__deploy', arguments: { region } });
      expect([isError, JSON.parse(content[0]?.type === 'text' ? content[0].text : '').args]).toEqual([
        undefined,
        { region },
      ]);
    },
  );

  const call = async (said: object, headers: Readonly<Record<string, string>>) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'prod__deploy', arguments: said, _meta };
    const response = await fetch(`${listening.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'prod__deploy',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
    });
    return { status: response.status, body: await response.text() };
  };

  it.each([
    ['is missing', {}],
    ['says something else', { 'mcp-param-region': 'us' }],
    ['is no base64', { 'mcp-param-region': '=?base64?e?=' }],
    ['is no UTF-8', { 'mcp-param-region': '=?base64?/w==?=' }],
  ])('refuses a call of 2026-07-28 whose header %s', async (_what, headers) => {
    const { status, body } = await call({ region: 'eu' }, headers);
    expect([status, JSON.parse(body)]).toMatchObject([400, { id: 7, error: { code: -32_020 } }]);
  });

  it.each([
    ['as it is', { region: 'eu' }, { 'mcp-param-region': 'eu' }],
    ['as base64', { region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU=?=' }],
    ['as another form of the number', { level: 42 }, { 'mcp-param-level': '42.0' }],
    ['where the call has none', {}, { 'mcp-param-region': 'us' }],
    ['where the call has null', { region: null }, {}],
  ])('takes a header %s', async (_what, said, headers) => {
    const { status, body } = await call(said, headers);
    expect([status, body.includes('-32020')]).toEqual([200, false]);
  });
});
