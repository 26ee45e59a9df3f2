import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Audit } from '@contextloom/access';
import {
  type Admission,
  addressOf,
  admissionOf,
  localPrincipal,
  type Principal,
  principalOf,
  toAuthInfo,
} from '@contextloom/access';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpHandlerRequestOptions,
} from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { SUBSCRIPTION } from '../messages/open-requests.ts';
import { toRpcError } from '../messages/rpc-error.ts';
import { statusOf } from '../route/errors.ts';
import { parseListen } from '../server/listening.ts';
import type { ServerFactory } from '../server/server-factory.ts';
import { createUnderWay, onBodyEnd, type UnderWay } from './body-end.ts';
import { PATIENCE_MS } from './exchange.ts';
import { createListeners } from './listeners.ts';
import { readIncomingJson, readJson } from './read-json.ts';
import type { SessionSeal } from './session-seal.ts';
import { createSessions } from './sessions.ts';

/** What an MCP endpoint needs to know. */
export interface McpEndpointOptions {
  readonly log: Log;
  /** Most 2025-era sessions at once. */
  readonly maxSessions?: number;
  /** Most of them that one caller may have. */
  readonly maxSessionsPerCaller?: number;
  /** How long a closing endpoint waits for calls under way, in milliseconds. */
  readonly drainMs?: number;
  readonly newId?: () => string;
  /** How long an answer to a client with a session may take to be plain JSON, in milliseconds; one that takes longer is an event. */
  readonly patienceMs?: number;
  /** By which replicas go on with each other's sessions. */
  readonly seal?: SessionSeal | undefined;
  /** Where calls are written down. */
  readonly audit?: Audit | undefined;
}

/** What is known of a request besides what it says. */
export interface McpRequestOptions extends McpHandlerRequestOptions {
  /** Whose sessions it counts among; those of its principal and address. */
  readonly caller?: string;
  /** Called once it is known for one that lasts: an event stream on which nothing is answered. */
  readonly becomeStream?: (() => void) | undefined;
  /** Its body, where it is read already. */
  readonly body?: Promise<unknown> | undefined;
}

/** A streamable HTTP endpoint: web-standard `fetch`, and the same for express and for Node's own requests. */
export interface McpEndpoint {
  readonly fetch: (request: Request, options?: McpRequestOptions) => Promise<Response>;
  readonly handle: RequestHandler;
  /** Whether a request is a call in a session of this endpoint, so that it needs no more than {@link serve}. */
  readonly knows: (request: IncomingMessage) => boolean;
  /** Answers a request that was let in. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, admission?: Admission) => Promise<void>;
  /** Lets calls under way be answered for a while, then ends every session and stream. */
  readonly close: () => Promise<void>;
}

/** Below the ten seconds that container runtimes wait before they kill. */
export const DRAIN_MS = 8_000;
/** A session is a few dozen kilobytes; an application with a client for each of its users opens many from one address. */
const MAX_SESSIONS = 1_024;
const MAX_SESSIONS_PER_CALLER = 256;

/**
 * Serves both protocol eras at one address. The 2026-07-28 era is stateless, one server a request; 2025-era clients get a
 * session, since requests from server to client (sampling, elicitation) cannot reach them without one.
 */
export function createMcpEndpoint(factory: ServerFactory, options: McpEndpointOptions): McpEndpoint {
  const { log, drainMs = DRAIN_MS, newId = randomUUID, patienceMs = PATIENCE_MS } = options;
  const { maxSessions = MAX_SESSIONS, maxSessionsPerCaller = MAX_SESSIONS_PER_CALLER } = options;
  const onerror = (cause: Error): void => log.warn({ cause }, 'MCP request refused');
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    onerror,
    ...(factory.bus !== undefined && { bus: factory.bus }),
  });
  const { seal } = options;
  const sessions = createSessions(factory, { log, maxSessions, maxSessionsPerCaller, newId, patienceMs, seal });
  const listeners = createListeners(factory, onerror);
  const calls = createUnderWay();
  async function answer(
    request: Request,
    { caller = 'unknown', becomeStream, body, ...rest }: McpRequestOptions,
  ): Promise<Response> {
    // Read here once, as bytes: the SDK decodes them before anybody can tell whether they are UTF-8, and parses them twice.
    const read = request.method === 'POST' ? requireFairBatch(await (body ?? readJson(request))) : undefined;
    if (parseListen(read) !== undefined) becomeStream?.();
    const parsedBody = withWatchable(factory, read, principalOf(rest.authInfo) ?? localPrincipal);
    const reply = async (): Promise<Response> =>
      (await isLegacyRequest(request, parsedBody))
        ? sessions.fetch({ request, parsedBody, caller, authInfo: rest.authInfo })
        : (listeners.fetch(request, { ...rest, parsedBody }) ??
          (await refuseMismatch(factory, request, { ...rest, parsedBody })) ??
          modern.fetch(request, { ...rest, parsedBody }));
    return isCall(parsedBody) ? track(reply, calls) : reply();
  }
  const fetch: McpEndpoint['fetch'] = (request, requestOptions = {}) =>
    answer(request, requestOptions).catch((error: unknown) => {
      if (!isContextloomError(error)) throw error;
      onerror(error);
      return Response.json(toRpcError(error), { status: statusOf(error.code) });
    });
  let listener: Promise<NodeListener> | undefined;
  const senders = new WeakMap<IncomingMessage | Http2ServerRequest, McpRequestOptions>();
  const serve: McpEndpoint['serve'] = async (request, response, admission) => {
    const { principal = localPrincipal, caller = principal.name, becomeStream } = admission ?? {};
    if (request.method === 'GET') becomeStream?.();
    const authInfo = toAuthInfo(principal, { audit: options.audit, caller });
    const body = sessions.knows(request) ? readIncomingJson(request) : undefined;
    const message = await body?.catch(() => undefined); // Reported below.
    if (sessions.serve({ request, response, message, authInfo })) {
      calls.begin();
      response.once('close', calls.end);
      return;
    }
    senders.set(request, { caller: `${caller} ${addressOf(request.socket)}`, authInfo, becomeStream, body });
    listener ??= toNodeListener((incoming, webRequest) => fetch(webRequest, senders.get(incoming)));
    await (await listener)(request, response);
  };
  return {
    fetch,
    serve,
    knows: sessions.knows,
    handle: (request, response, next) => void serve(request, response, admissionOf(response)).catch(next),
    close: async () => {
      await calls.untilNone(drainMs);
      await Promise.all([modern.close(), listeners.close(), sessions.close()]);
    },
  };
}

/** As many messages as the SDK takes in one; looked at before any of them is. */
const MAX_BATCH = 100;

function requireFairBatch(parsedBody: unknown): unknown {
  if (!Array.isArray(parsedBody) || parsedBody.length <= MAX_BATCH) return parsedBody;
  throw new ContextloomError('too_large', `a batch may have at most ${MAX_BATCH} messages`);
}

/** Source: MCP 2026-07-28, streamable HTTP, server validation of headers. */
const HEADER_MISMATCH = -32_020;

/** The SDK compares headers with the schemas of tools that it registers itself; this is for all other servers. */
async function refuseMismatch(
  { findMismatch }: ServerFactory,
  { headers }: Request,
  { parsedBody, authInfo }: McpHandlerRequestOptions,
): Promise<Response | undefined> {
  if (findMismatch === undefined || !isJSONRPCRequest(parsedBody) || parsedBody.method !== 'tools/call')
    return undefined;
  const { id, params = {} } = parsedBody;
  const message = await findMismatch({ headers, params, authInfo });
  if (message === undefined) return undefined;
  return Response.json({ jsonrpc: '2.0', id, error: { code: HEADER_MISMATCH, message } }, { status: 400 });
}

/** The SDK tells every listener of the URIs that it named; those that are not its own to watch are left out of what it asks. */
function withWatchable(factory: ServerFactory, parsedBody: unknown, principal: Principal): unknown {
  const listen = parseListen(parsedBody);
  if (listen === undefined || factory.mayWatch === undefined) return parsedBody;
  return listen.withUris(listen.uris.filter((uri) => factory.mayWatch?.(principal, uri) !== false));
}

/** A subscription of the revision 2026-07-28 lasts as long as its connection: closing does not wait for it. */
function isCall(parsedBody: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
  return messages.some((message) => isJSONRPCRequest(message) && message.method !== SUBSCRIPTION);
}

/** Counts a call as under way until its answer has been sent. */
async function track(reply: () => Promise<Response>, calls: UnderWay): Promise<Response> {
  calls.begin();
  try {
    return onBodyEnd(await reply(), calls.end);
  } catch (error) {
    calls.end();
    throw error;
  }
}

type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Loaded when the first request comes: stdio, and tests through `fetch`, do without. */
async function toNodeListener(
  answer: (incoming: IncomingMessage | Http2ServerRequest, request: Request) => Promise<Response>,
): Promise<NodeListener> {
  const { getRequestListener } = await import('@hono/node-server');
  return getRequestListener((request, { incoming }) => answer(incoming, request), { overrideGlobalObjects: false });
}
