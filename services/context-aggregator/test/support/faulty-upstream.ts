import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** How an upstream misbehaves. */
export type Fault = 'none' | 'slow' | 'hang' | 'half-closed' | 'garbage' | 'broken' | 'flood';

/** An upstream over HTTP with no SDK behind it, which can be made to misbehave. */
export interface FaultyUpstream {
  readonly address: string;
  /** What it does with a call of its tool `echo`. */
  fault: Fault;
  /** What it does with everything else. */
  otherwise: Fault;
  /** The methods that it was asked for. */
  readonly asked: string[];
  /** How many TCP connections were made to it. */
  readonly connections: () => number;
  /** Whether calls are answered as an event stream, which ends a moment after the answer. */
  streams: boolean;
  /** The largest number of calls that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Answers what waits because it is `slow`; how much that has been in all. */
  readonly release: () => number;
  /** As a restart does: it knows no session any more. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

const FLOOD_CHUNK = Buffer.alloc(1024 * 1024, 'x');

/** Sends for as long as somebody reads. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(FLOOD_CHUNK));
  };
  response.on('drain', more);
  response.write('{"jsonrpc":"2.0","id":0,"result":"');
  more();
}

const misbehave: Readonly<Record<Exclude<Fault, 'none' | 'slow'>, (response: ServerResponse) => void>> = {
  hang: () => undefined,
  'half-closed': (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n'),
  garbage: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<p>Welcome</p>'),
  broken: (response) => void response.writeHead(500).end(),
  flood,
};

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly text?: string }; readonly protocolVersion?: string };
}

function toResult({ method, params }: Message): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'faulty', version: '0' };
    return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: params?.arguments?.text }] };
}

/** Starts one that behaves. */
export async function startFaultyUpstream(): Promise<FaultyUpstream> {
  const sessions = new Set<string>();
  const slow: (() => void)[] = [];
  let [underWay, most, made, connections, released] = [0, 0, 0, 0, 0];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = (await json(request)) as Message;
    const { id, method } = message;
    upstream.asked.push(method);
    const fault = method === 'tools/call' ? upstream.fault : upstream.otherwise;
    if (fault === 'slow') await new Promise<void>((resolve) => slow.push(resolve));
    else if (fault !== 'none') return misbehave[fault](response);
    if (method === 'initialize') {
      sessions.add(`session ${++made}`);
      response.setHeader('mcp-session-id', `session ${made}`);
    } else if (!sessions.has(String(request.headers['mcp-session-id']))) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    most = Math.max(most, ++underWay);
    // Calls that come together are under way together.
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    const answered = JSON.stringify({ jsonrpc: '2.0', id, result: toResult(message) });
    if (!upstream.streams) return void response.writeHead(200, { 'content-type': 'application/json' }).end(answered);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${answered}\n\n`);
    setImmediate(() => response.end());
  };
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: FaultyUpstream = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    fault: 'none',
    otherwise: 'none',
    asked: [],
    connections: () => connections,
    streams: false,
    mostAtOnce: () => most,
    release: () => {
      for (const answerNow of slow.splice(0)) {
        answerNow();
        released += 1;
      }
      return released;
    },
    forget: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}
