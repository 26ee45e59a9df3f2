import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDesktopRoutes } from './scripted-mirix-desktop.ts';
import { createServerRoutes } from './scripted-mirix-server.ts';
import type { KeptItem, MirixCallRecord, MirixState, Reply, Routes } from './scripted-mirix-state.ts';

/** A running scripted server. */
export interface ScriptedMirix {
  readonly url: string;
  readonly apiKey: string;
  readonly calls: readonly MirixCallRecord[];
  /** Requests that are open now. */
  readonly open: () => number;
  /** Puts a fault in front of the routes; undefined takes it out. */
  readonly fault: (fault: Routes | undefined) => void;
  readonly items: Map<string, KeptItem[]>;
  /** Of the desktop backend: who is active in the application. */
  readonly activate: (userId: string) => void;
  /** Forgets users, agents and memories. */
  readonly wipe: () => void;
  readonly close: () => Promise<void>;
}

async function toCall(request: IncomingMessage): Promise<MirixCallRecord> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  const url = new URL(request.url ?? '/', 'http://scripted');
  const key = request.headers['x-api-key'];
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    body: text === '' ? {} : JSON.parse(text),
    apiKey: typeof key === 'string' ? key : undefined,
  };
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'cut') {
    response.destroy();
    return;
  }
  const isText = 'text' in reply;
  const headers = isText ? (reply.headers ?? {}) : { 'content-type': 'application/json' };
  response.writeHead(reply.status ?? 200, headers).end(isText ? reply.text : JSON.stringify(reply.json));
}

const notFound: Reply = { status: 404, json: { detail: 'Not Found' } };

/** Starts a server that answers as MIRIX of a generation does, and keeps its state in memory. */
export async function startScriptedMirix(generation: 'server' | 'desktop'): Promise<ScriptedMirix> {
  const state: MirixState = { apiKey: 'mirix-test-key', users: new Map(), items: new Map(), agents: [] };
  const routes = generation === 'server' ? createServerRoutes(state) : createDesktopRoutes(state);
  const calls: MirixCallRecord[] = [];
  let [fault, open] = [undefined as Routes | undefined, 0];
  const server = createServer(async (request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    const call = await toCall(request);
    calls.push(call);
    send(fault?.(call) ?? routes(call) ?? notFound, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: state.apiKey,
    calls,
    open: () => open,
    fault: (given) => {
      fault = given;
    },
    items: state.items,
    activate: (userId) => {
      for (const user of state.users.values()) user.status = 'inactive';
      state.users.set(userId, { id: `user-of-${userId}`, name: userId, status: 'active' });
    },
    wipe: () => {
      state.users.clear();
      state.items.clear();
      state.agents.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
