import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AuthInfo,
  isJSONRPCRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createOpenRequests, type OpenRequests } from '../messages/open-requests.ts';
import { answeredBy, createExchange, type Exchange } from './exchange.ts';
import { bringsJson } from './read-json.ts';

/** A session of a 2025-era client. */
export interface Session {
  readonly id: string;
  readonly caller: string;
  /** The principal that opened it; for others it does not exist. */
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly requests: OpenRequests;
  /** Answers that go to Node's own responses, by the ids of their requests. */
  readonly exchanges: Map<RequestId, Exchange>;
  /** Whether anything was asked after the handshake. */
  isUsed: boolean;
  /** Answers and streams that somebody is reading. */
  reading: number;
}

/** Makes one that nobody has asked anything yet. */
export function createSession(parts: Pick<Session, 'id' | 'caller' | 'owner' | 'transport'>): Session {
  return { ...parts, requests: createOpenRequests(), exchanges: new Map(), isUsed: false, reading: 0 };
}

/** Connects a session's server, takes note of what it answers, and brings answers to where they are waited for. */
export async function connectSession(session: Session, server: Server | McpServer): Promise<void> {
  const { transport, requests, exchanges } = session;
  const send = transport.send.bind(transport);
  // Before the server connects: what it puts in front of the transport sees every message.
  transport.send = async (message, options) => {
    const answered = answeredBy(message);
    const exchange = exchanges.get(answered ?? options?.relatedRequestId ?? NO_ID);
    if (exchange === undefined) await send(message, options);
    else exchange.write(message);
    if (answered !== undefined) exchanges.delete(answered);
    requests.noteSent(message);
  };
  transport.onclose = () => {
    for (const { end } of exchanges.values()) end();
    exchanges.clear();
  };
  await server.connect(transport);
}

/** No request has it: ids are texts and whole numbers. */
const NO_ID = Number.NaN;

/** What a client takes as an answer to a request. Source: MCP 2025-11-25, streamable HTTP, sending messages. */
const TYPES = ['application/json', 'text/event-stream'];

/** Whether the headers of a request are those of a usual call in a session. Any other is for the SDK to judge. */
export function isUsualCall(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const { accept = '', 'mcp-protocol-version': version } = headers;
  const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
  return method === 'POST' && isKnown && TYPES.every((type) => accept.includes(type)) && bringsJson(request);
}

/** A message for a session on Node's own response, and who sent it. */
export interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message: unknown;
  readonly authInfo: AuthInfo;
  readonly patienceMs: number;
}

/** Hands a request to a session's server, and its answer to Node's response; false for a message that only the SDK's transport takes. */
export function serveCall(session: Session, call: SessionCall): boolean {
  const { request, response, message, authInfo, patienceMs } = call;
  const { transport, requests, exchanges } = session;
  const isCall = isJSONRPCRequest(message) && message.method !== 'initialize' && !isEnveloped(message.params);
  if (!isCall || transport.sessionId === undefined || requests.has(message.id)) return false;
  session.isUsed = true;
  session.reading += 1;
  requests.noteIncoming(message);
  exchanges.set(message.id, createExchange(response, session.id, patienceMs));
  response.once('close', () => {
    session.reading -= 1;
    // One that was cancelled is answered no more; any other still may be.
    if (!requests.has(message.id)) exchanges.delete(message.id);
  });
  transport.onmessage?.(message, { authInfo, request: toWebRequest(request) });
  return true;
}

/** What handlers may ask of a request besides its message: making all of a web request takes as long as answering it. */
function toWebRequest({ method = '', url = '', headers }: IncomingMessage): Request {
  const toHeaders = () => new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return Object.create(Request.prototype, {
    method: { value: method },
    url: { get: () => new URL(url, `http://${headers.host}`).href },
    headers: { get: toHeaders },
  });
}

/** Whether a request says itself which revision it speaks, as those of 2026-07-28 do. */
function isEnveloped(params: { readonly _meta?: object | undefined } | undefined): boolean {
  return Object.hasOwn(params?._meta ?? {}, PROTOCOL_VERSION_META_KEY);
}
