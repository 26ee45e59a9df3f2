import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An upstream of 2025-11-25 over HTTP with one tool, whose answer is the text that a test says. */
export interface RawUpstream {
  readonly address: string;
  /** What stands in the answer to a call besides its id. */
  answer: string;
  /** Whether the answer comes as an event stream that does not end. */
  isStream: boolean;
  /** What the newest call said. */
  params: unknown;
  readonly close: () => Promise<void>;
}

const fixed: Readonly<Record<string, string>> = {
  initialize:
    '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"0"}}',
  'tools/list': '"result":{"tools":[{"name":"any","inputSchema":{"type":"object"}}]}',
};
const unknown = '"error":{"code":-32601,"message":"no such method"}';

/** Starts one. */
export async function startRawUpstream(): Promise<RawUpstream> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = (await json(request)) as { id?: number; method: string; params?: unknown };
    if (id === undefined) return response.writeHead(202).end();
    if (method !== 'tools/call') return write(response, id, fixed[method] ?? unknown);
    upstream.params = params;
    return write(response, id, upstream.answer, upstream.isStream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: RawUpstream = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    answer: unknown,
    isStream: false,
    params: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}

function write(response: ServerResponse, id: number, answer: string, isStream = false): void {
  const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`;
  if (!isStream) return void response.writeHead(200, { 'content-type': 'application/json' }).end(message);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${message}\n\n`);
}
