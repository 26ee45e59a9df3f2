import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isContextloomError } from '@contextloom/contracts';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import type { Log } from '../log.ts';
import { toRpcError } from '../rpc-error.ts';
import type { ServerFactory } from '../server-factory.ts';
import { statusOf } from './errors.ts';
import { readJson } from './read-json.ts';

/** What an MCP endpoint needs to know. */
export interface McpEndpointOptions {
  readonly log: Log;
  /** Most 2025-era sessions at once; the one unused for longest makes way, and its client is told to begin again. */
  readonly maxSessions?: number;
  readonly newId?: () => string;
}

/** A streamable HTTP endpoint: web-standard `fetch`, and the same for express. */
export interface McpEndpoint {
  readonly fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  readonly handle: RequestHandler;
  readonly close: () => Promise<void>;
}

/**
 * Serves both protocol eras at one address. The 2026-07-28 era is stateless, one server a request; 2025-era clients get a
 * session, since requests from server to client (sampling, elicitation) cannot reach them without one.
 */
export function createMcpEndpoint(factory: ServerFactory, options: McpEndpointOptions): McpEndpoint {
  const { log } = options;
  const onerror = (cause: Error): void => log.warn({ cause }, 'MCP request refused');
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    onerror,
    ...(factory.bus !== undefined && { bus: factory.bus }),
  });
  const sessions = createSessions(factory, options);
  async function serve(request: Request, requestOptions?: McpHandlerRequestOptions): Promise<Response> {
    // Read here once, as bytes: the SDK decodes them before anybody can tell whether they are UTF-8, and parses them twice.
    const parsedBody = request.method === 'POST' ? await readJson(request) : undefined;
    return (await isLegacyRequest(request, parsedBody))
      ? sessions.fetch(request, parsedBody)
      : modern.fetch(request, { ...requestOptions, parsedBody });
  }
  const fetch: McpEndpoint['fetch'] = (request, requestOptions) =>
    serve(request, requestOptions).catch((error: unknown) => {
      if (!isContextloomError(error)) throw error;
      onerror(error);
      return Response.json(toRpcError(error), { status: statusOf(error.code) });
    });
  let listener: Promise<NodeListener> | undefined;
  return {
    fetch,
    handle: (request, response, next) => {
      listener ??= toNodeListener(fetch);
      listener.then((listen) => listen(request, response)).catch(next);
    },
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Loaded when the first request comes: stdio, and tests through `fetch`, do without. */
async function toNodeListener(fetch: McpEndpoint['fetch']): Promise<NodeListener> {
  const { getRequestListener } = await import('@hono/node-server');
  return getRequestListener((request) => fetch(request), { overrideGlobalObjects: false });
}

function createSessions(factory: McpServerFactory, { log, maxSessions = 256, newId = randomUUID }: McpEndpointOptions) {
  // Insertion order is order of last use: a used session is taken out and put back at the end.
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function begin(request: Request, parsedBody: unknown): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      onsessioninitialized: (id) => {
        open.set(id, transport);
      },
      onsessionclosed: (id) => {
        open.delete(id);
      },
    });
    const server = await factory({ era: 'legacy', requestInfo: request });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined) await server.close();
    await evict();
    return response;
  }

  async function evict(): Promise<void> {
    const [oldest] = open;
    if (oldest === undefined || open.size <= maxSessions) return;
    open.delete(oldest[0]);
    log.info({ sessions: open.size }, 'the session unused for longest was closed');
    await oldest[1].close();
  }

  return {
    fetch: (request: Request, parsedBody: unknown): Promise<Response> => {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return begin(request, parsedBody);
      const transport = open.get(id);
      if (transport === undefined) return Promise.resolve(unknownSession());
      open.delete(id);
      open.set(id, transport);
      return transport.handleRequest(request, { parsedBody });
    },
    close: async (): Promise<void> => {
      const transports = [...open.values()];
      open.clear();
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}

/** The protocol's word for "begin a new session" (streamable HTTP transport, session management). */
function unknownSession(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
