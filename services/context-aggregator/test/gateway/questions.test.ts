import { silentLog } from '@contextloom/runtime';
import { createMcpEndpoint, type ServerFactory } from '@contextloom/server-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { createTestGateway, type RunningUpstream, startUpstream, type TestGateway } from '../support/gateway.ts';

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;

/** What a tool asks of its client, by its name. */
const questions = {
  sample: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'capital?' } }], maxTokens: 9 },
  },
  elicit: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
  open: {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'log in', url: 'https://example.org/login?state=7', elicitationId: 'login-7' },
  },
  roots: { method: 'roots/list', params: {} },
} as const;

/** Asks its client in the way of the era that it is reached in, and answers with what it was told. */
async function answer(name: keyof typeof questions, { mcpReq }: ServerContext) {
  const told =
    mcpReq.envelope === undefined
      ? await mcpReq.send(questions[name] as never, anything)
      : mcpReq.inputResponses?.['asked'];
  if (told === undefined) return { resultType: 'input_required', inputRequests: { asked: questions[name] } };
  return { content: [{ type: 'text', text: JSON.stringify(told) }] };
}

function createAsking(): Server {
  const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    if (method === 'tools/call') return answer(params?.['name'] as keyof typeof questions, context);
    return { tools: Object.keys(questions).map((name) => ({ name, inputSchema: { type: 'object' } })) };
  };
  return server;
}

/** The pages that clients were sent to. */
const opened: string[] = [];

function open(page: string): { readonly action: 'accept' } {
  opened.push(page);
  return { action: 'accept' };
}

/** A client that answers every question with its own name. */
async function connect(factory: ServerFactory, era: 'legacy' | 'modern', name: string): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
  const client = new Client({ name, version: '0' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: name,
    content: { type: 'text', text: `sampled by ${name}` },
  }));
  client.setRequestHandler('elicitation/create', ({ params }) =>
    params.mode === 'url' ? open(`${name} opens ${params.url}`) : { action: 'accept', content: { name } },
  );
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file:///${name}` }] }));
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

let both: RunningUpstream;
let old: RunningUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  both = await startUpstream(createAsking);
  old = await startUpstream(createAsking, 'legacy');
  gateway = createTestGateway({ urls: { both: both.address, old: old.address } });
});
afterAll(async () => {
  await gateway.close();
  await both.close();
  await old.close();
});

describe.each(['legacy', 'modern'] as const)('a question of a server, to a client of the %s era', (era) => {
  it.each(['both', 'old'])('reaches the client whose call caused it, from server %s', async (server) => {
    const names = ['ann', 'ben', 'cem'];
    const clients = await Promise.all(names.map((name) => connect(gateway.factory, era, name)));
    const told = await Promise.all(
      clients.flatMap((client) =>
        ['sample', 'elicit', 'roots'].map(async (tool) => {
          const { content } = await client.callTool({ name: `${server}__${tool}`, arguments: {} });
          return content.map((block) => (block.type === 'text' ? block.text : '')).join();
        }),
      ),
    );
    for (const [at, text] of told.entries()) expect(text).toContain(names[Math.floor(at / 3)]);
    for (const client of clients) await client.close();
  });

  it.each(['both', 'old'])('may send that client to a page, from server %s', async (server) => {
    opened.length = 0;
    const clients = await Promise.all(['ann', 'ben'].map((name) => connect(gateway.factory, era, name)));
    for (const client of clients) {
      const { content } = await client.callTool({ name: `${server}__open`, arguments: {} });
      expect(content).toEqual([{ type: 'text', text: '{"action":"accept"}' }]);
    }
    const page = 'opens https://example.org/login?state=7';
    expect(opened).toEqual([`ann ${page}`, `ben ${page}`]);
    for (const client of clients) await client.close();
  });
});
