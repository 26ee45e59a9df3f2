import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ListKind } from '../../src/gateway/messages/provider.ts';

/** An upstream of 2025-11-25 over HTTP with no SDK behind it, whose lists are what a test says. */
export interface ListingUpstream {
  readonly address: string;
  /** The entries of each list as JSON texts: an object has no `__proto__` of its own. */
  readonly lists: Record<ListKind, readonly string[]>;
  /** The methods that it was asked for. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

const kinds: Readonly<Record<string, ListKind>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

const initialized = (revision: unknown) => ({
  protocolVersion: revision === '2026-07-28' ? '2025-11-25' : revision,
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'listing', version: '0' },
});

/** Tells what was asked for, in the form of each method's answer. */
function toAnswer(method: string, params: Readonly<Record<string, unknown>>): object | undefined {
  const content = { type: 'text', text: String(params['name']) };
  if (method === 'initialize') return initialized(params['protocolVersion']);
  if (method === 'tools/call') return { content: [content] };
  if (method === 'prompts/get') return { messages: [{ role: 'user', content }] };
  if (method === 'resources/read') return { contents: [{ uri: params['uri'], text: String(params['uri']) }] };
  return undefined;
}

/** Starts one whose lists are empty. */
export async function startListingUpstream(): Promise<ListingUpstream> {
  const lists: ListingUpstream['lists'] = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params = {} } = (await json(request)) as { id?: number; method: string; params?: object };
    asked.push(method);
    if (id === undefined) return response.writeHead(202).end();
    const kind = kinds[method];
    const answer = toAnswer(method, params as Readonly<Record<string, unknown>>);
    const result = kind === undefined ? JSON.stringify(answer) : `{"${kind}":[${lists[kind].join()}]}`;
    const end = result === undefined ? '"error":{"code":-32601,"message":"no such method"}' : `"result":${result}`;
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${end}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    lists,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
