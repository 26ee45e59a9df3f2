import type { IncomingMessage } from 'node:http';
import { principalOf } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import {
  type AuthInfo,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { toRpcError } from '../messages/rpc-error.ts';
import { statusOf } from '../route/errors.ts';
import { onBodyEnd } from './body-end.ts';
import { connectSession, createSession, isUsualCall, type Session, type SessionCall, serveCall } from './session.ts';

/** What sessions need to know. */
export interface SessionsOptions {
  readonly log: Log;
  /** Most sessions at once, of all callers together. */
  readonly maxSessions: number;
  /** Most sessions of one caller at once. */
  readonly maxSessionsPerCaller: number;
  readonly newId: () => string;
  /** How long an answer may take to be plain JSON, in milliseconds; one that takes longer is an event. */
  readonly patienceMs: number;
}

/** A call that a session may answer on Node's own response. */
export type IncomingCall = Omit<SessionCall, 'patienceMs'>;

/** A request for a session, and who sent it. */
export interface SessionRequest {
  readonly request: Request;
  readonly parsedBody: unknown;
  readonly caller: string;
  readonly authInfo?: AuthInfo | undefined;
}

/** The sessions of 2025-era clients. */
export interface Sessions {
  /** Whether {@link serve} may take what a request brings, as far as its headers tell. */
  readonly knows: (request: IncomingMessage) => boolean;
  /** Answers a call without web requests, responses and streams; false for what only `fetch` answers. */
  readonly serve: (call: IncomingCall) => boolean;
  readonly fetch: (request: SessionRequest) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** One without an id is still shaking hands. */
const isActive = ({ requests, reading, transport }: Session): boolean =>
  reading > 0 || requests.count() > 0 || transport.sessionId === undefined;

/**
 * Keeps one protocol server for each session. Where there are too many, an idle one makes way (one that was never used
 * before one that was, the one unused for longest first) and its client has to begin again; one that is answering or
 * listening never does.
 */
export function createSessions(factory: McpServerFactory, options: SessionsOptions): Sessions {
  const { newId, patienceMs } = options;
  // Insertion order is order of last use: a used session is taken out and put back at the end.
  const open = new Map<string, Session>();

  function add(caller: string, owner: string): Session {
    const id = newId();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: (closed) => {
        open.delete(closed);
      },
    });
    const session = createSession({ id, caller, owner, transport });
    open.set(id, session);
    return session;
  }

  async function begin(incoming: SessionRequest): Promise<Response> {
    const { request, parsedBody, caller, authInfo } = incoming;
    const isHandshake = toMessages(parsedBody).some(isInitializeRequest);
    // Before anything is awaited: many that begin at once count each other.
    const evicted = isHandshake ? takeIdle(open, caller, options) : undefined;
    const session = add(caller, ownerOf(authInfo));
    try {
      await evicted?.transport.close();
      await connectSession(
        session,
        await factory({ era: 'legacy', requestInfo: request, ...(authInfo !== undefined && { authInfo }) }),
      );
      return await answer(session, incoming);
    } finally {
      if (session.transport.sessionId === undefined) {
        open.delete(session.id);
        await session.transport.close();
      }
    }
  }

  /** The session of this id, which is that of last use from now on; undefined where it is not this caller's. */
  function use(id: string, authInfo: AuthInfo | undefined): Session | undefined {
    const session = open.get(id);
    if (session?.owner !== ownerOf(authInfo)) return undefined;
    open.delete(id);
    open.set(id, session);
    return session;
  }

  return {
    knows: (request) => open.has(sessionOf(request)) && isUsualCall(request),
    serve: (call) => {
      const session = use(sessionOf(call.request), call.authInfo);
      return session !== undefined && serveCall(session, { ...call, patienceMs });
    },
    fetch: (incoming) => {
      const { request, parsedBody, authInfo } = incoming;
      const id = request.headers.get('mcp-session-id');
      if (id === null) return begin(incoming);
      const session = use(id, authInfo);
      if (session === undefined) return Promise.resolve(unknownSession());
      if (toMessages(parsedBody).some(isJSONRPCRequest)) session.isUsed = true;
      return answer(session, incoming);
    },
    close: async () => {
      const sessions = [...open.values()];
      open.clear();
      await Promise.all(sessions.map(({ transport }) => transport.close()));
    },
  };
}

const sessionOf = ({ headers }: IncomingMessage): string => String(headers['mcp-session-id']);

/** With its rights: a key that was made again under the same name, with others, is another caller. */
const ownerOf = (authInfo: AuthInfo | undefined): string => JSON.stringify(principalOf(authInfo) ?? null);

function toMessages(parsedBody: unknown): readonly unknown[] {
  return Array.isArray(parsedBody) ? parsedBody : [parsedBody];
}

/**
 * Takes out the idle session that makes way where the caller, or all together, have as many as they may.
 * @throws ContextloomError `rate_limited` when none is idle
 */
function takeIdle(open: Map<string, Session>, caller: string, options: SessionsOptions): Session | undefined {
  const { maxSessions, maxSessionsPerCaller, log } = options;
  const own = [...open.values()].filter((session) => session.caller === caller);
  const isCallerFull = own.length >= maxSessionsPerCaller;
  if (!isCallerFull && open.size < maxSessions) return undefined;
  // A caller makes room for itself first.
  const idle = findIdle(own) ?? (isCallerFull ? undefined : findIdle([...open.values()]));
  if (idle === undefined) {
    throw new ContextloomError('rate_limited', 'too many sessions are in use: end one, or try again later');
  }
  open.delete(idle.id);
  log.info({ sessions: open.size, caller: idle.caller }, 'an idle session is closed to make room');
  return idle;
}

function findIdle(sessions: readonly Session[]): Session | undefined {
  const idle = sessions.filter((session) => !isActive(session));
  return idle.find(({ isUsed }) => !isUsed) ?? idle[0];
}

async function answer(session: Session, { request, parsedBody, authInfo }: SessionRequest): Promise<Response> {
  const { transport, requests } = session;
  const messages = toMessages(parsedBody);
  const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
  const before = new Set<RequestId>();
  const twice = ids.find((id) => requests.has(id) || before.size === before.add(id).size);
  if (twice !== undefined) return sameId(twice);
  // What is no message of JSON-RPC is refused by the transport.
  for (const message of messages) requests.noteIncoming(message as JSONRPCMessage);
  session.reading += 1;
  const end = (): void => {
    session.reading -= 1;
  };
  const response = await transport
    .handleRequest(request, { parsedBody, ...(authInfo !== undefined && { authInfo }) })
    .catch((error: unknown) => {
      end();
      throw error;
    });
  if (!response.ok) for (const id of ids) requests.settle(id);
  return onBodyEnd(response, end);
}

/** Both answers would go to the one that came last, and the first would wait for ever. */
function sameId(id: RequestId): Response {
  const message = `another request with the id ${JSON.stringify(id)} is under way in this session: use another id`;
  const error = new ContextloomError('conflict', message);
  return Response.json(toRpcError(error, id), { status: statusOf(error.code) });
}

/** The protocol's word for "begin a new session" (streamable HTTP transport, session management). */
function unknownSession(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
