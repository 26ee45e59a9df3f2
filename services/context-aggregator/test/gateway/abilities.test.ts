import { silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, type ServerFactory } from '@contextloom/server-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CLIENT_CAPABILITIES_META_KEY,
  Client,
  type ClientCapabilities,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { createTestGateway, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

/** A server that has a tool for each that its client can do. */
function createPicky(): Server {
  const server = new Server({ name: 'picky', version: '1' }, { capabilities: { tools: {} } });
  server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method === 'tools/call') return { content: [{ type: 'text', text: String(params?.['name']) }] };
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const can = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
    return { tools: ['plain', ...Object.keys(can)].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  };
  return server;
}

async function connect(
  factory: ServerFactory,
  era: 'legacy' | 'modern',
  capabilities: ClientCapabilities,
): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'able', version: '0' }, { capabilities, versionNegotiation: { mode } });
  if (era === 'legacy') {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await (await factory({ era })).connect(far);
    await client.connect(near);
    return client;
  }
  const endpoint = createMcpEndpoint(factory, { log: silentLog });
  const fetch = (url: URL | string, init?: RequestInit) => endpoint.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  return client;
}

let upstreams: readonly RunningUpstream[];
let gateway: TestGateway;

beforeAll(async () => {
  upstreams = [await startUpstream(createPicky), await startUpstream(createPicky, 'legacy')];
  const [both = '', old = ''] = upstreams.map(({ address }) => address);
  gateway = createTestGateway({ urls: { both, old } });
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});

describe.each(['legacy', 'modern'] as const)(
  'tools that a server lists by what its client can do, to clients of the %s era',
  (era) => {
    it.each(['both', 'old'])('are there for those that can, and for no others, at server %s', async (server) => {
      const [able, bare, other] = [
        await connect(gateway.factory, era, { sampling: {}, roots: {} }),
        await connect(gateway.factory, era, {}),
        await connect(gateway.factory, era, { elicitation: { form: {} } }),
      ];
      const names = async (client: Client) =>
        (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith(`${server}__`));
      const toShown = (...own: string[]) => own.map((name) => `${server}__${name}`);
      for (const _round of [1, 2]) {
        expect((await names(able)).sort()).toEqual(toShown('plain', 'roots', 'sampling'));
        expect(await names(bare)).toEqual(toShown('plain'));
        expect(await names(other)).toEqual(toShown('plain', 'elicitation'));
      }
      const { content } = await able.callTool({ name: `${server}__sampling`, arguments: {} });
      expect(content).toEqual([{ type: 'text', text: 'sampling' }]);
      await expect(bare.callTool({ name: `${server}__sampling`, arguments: {} })).rejects.toThrow('Unknown tool');
      for (const client of [able, bare, other]) await client.close();
    });
  },
);
