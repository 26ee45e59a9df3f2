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
import type { SealedSession, SessionSeal } from './session-seal.ts';

/** What sessions need to know. */
export interface SessionsOptions {
  readonly log: Log;
  /** Most sessions at once, of all callers together. */
  readonly maxSessions: number;
  /** Most sessions of one caller at once. */
  readonly maxSessionsPerCaller: number;
  readonly newId: () => string;
  /** By which replicas go on with each other's sessions; without it a session is known where it began. */
  readonly seal?: SessionSeal | undefined;
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
 * listening never does. With a seal the id says what the session began with: one that began at another replica, or made way
 * here, is gone on with. What it asked for since, such as subscriptions, is known where it was asked alone.
 */
export function createSessions(factory: McpServerFactory, options: SessionsOptions): Sessions {
  const { newId, patienceMs, seal } = options;
  // Insertion order is order of last use: a used session is taken out and put back at the end.
  const open = new Map<string, Session>();
  const resumed = new Map<string, Promise<Session | undefined>>();
  // Those that a client ended here: their ids are good for nothing any more.
  const ended = new Set<string>();

  function add(id: string, caller: string, owner: string): Session {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: (closed) => {
        open.delete(closed);
        if (seal !== undefined) remember(ended, closed);
      },
    });
    const session = createSession({ id, caller, owner, transport });
    open.set(id, session);
    return session;
  }

  async function begin(incoming: SessionRequest): Promise<Response> {
    const { request, parsedBody, caller, authInfo } = incoming;
    const handshake = toMessages(parsedBody).find(isInitializeRequest);
    // Before anything is awaited: many that begin at once count each other.
    const evicted = handshake === undefined ? undefined : takeIdle(open, caller, options);
    const owner = ownerOf(authInfo);
    const sealed = handshake && seal?.seal(handshake.params, owner);
    const session = add(sealed ?? newId(), caller, owner);
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

  /** Goes on with a session that began elsewhere: its server is told the handshake that the id says. */
  async function resume(id: string, { request, caller, authInfo }: SessionRequest): Promise<Session | undefined> {
    const owner = ownerOf(authInfo);
    const sealed = ended.has(id) ? undefined : seal?.open(id, owner);
    if (sealed === undefined) return undefined;
    const evicted = takeIdle(open, caller, options);
    const session = add(id, caller, owner);
    try {
      await evicted?.transport.close();
      const common = authInfo !== undefined && { authInfo };
      await connectSession(session, await factory({ era: 'legacy', requestInfo: request, ...common }));
      for (const message of toHandshake(sealed)) {
        const headers = { ...JSON_HEADERS, ...('id' in message ? {} : { 'mcp-session-id': id }) };
        const resent = new Request(request.url, { method: 'POST', headers, body: JSON.stringify(message) });
        await (await session.transport.handleRequest(resent, { parsedBody: message, ...common })).text();
      }
      return session;
    } catch (error) {
      open.delete(id);
      await session.transport.close();
      throw error;
    }
  }

  /** The session of an id, here or by what the id says; several calls at once resume it once. */
  async function find(id: string, incoming: SessionRequest): Promise<Session | undefined> {
    // One whose handshake is being told is no session yet.
    const known = resumed.get(id) ?? use(id, incoming.authInfo);
    if (known !== undefined || open.has(id)) return (await known) && use(id, incoming.authInfo);
    const resuming = resume(id, incoming).finally(() => resumed.delete(id));
    resumed.set(id, resuming);
    return resuming;
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
    fetch: async (incoming) => {
      const { request, parsedBody } = incoming;
      const id = request.headers.get('mcp-session-id');
      if (id === null) return begin(incoming);
      const session = await find(id, incoming);
      if (session === undefined) return unknownSession();
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

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What a client says before its first call. */
const toHandshake = ({ params }: SealedSession) => [
  { jsonrpc: '2.0', id: 'resumed', method: 'initialize', params },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** Ids of ended sessions that are remembered; those that are forgotten would be gone on with until they are too old. */
const MAX_ENDED = 10_000;

function remember(ended: Set<string>, id: string): void {
  ended.add(id);
  const [first] = ended;
  if (ended.size > MAX_ENDED && first !== undefined) ended.delete(first);
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
