import { localPrincipal, type Principal, principalOf } from '@contextloom/access';
import { isContextloomError } from '@contextloom/contracts';
import { traceServer } from '@contextloom/runtime';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { type AuthInfo, Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import { type Call, narrowCaller } from './messages/call.ts';
import type { Session } from './messages/provider.ts';
import {
  type AskOptions,
  failureOf,
  type Origin,
  progressTokenOf,
  type Raw,
  type RpcAnswer,
  type RpcRequest,
  toMessage,
} from './messages/rpc.ts';

/** What a server for one client is made from. */
export interface ClientServerOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  readonly capabilities: NonNullable<ServerOptions['capabilities']>;
  /** Who calls where a request does not say. */
  readonly authInfo: AuthInfo | undefined;
  /** The session of a call's client; asked for with each, since what a client can do is known from its first on. */
  readonly toSession: (call: Call, standalone: Origin) => Session;
}

/** Takes any answer: what a client or an upstream says is judged by the other, not on the way. */
const anything = {
  '~standard': { version: 1, vendor: 'contextloom', validate: (value: unknown) => ({ value: value as Raw }) },
} as const;

/** How long a client may take to answer a question, in milliseconds: a person may have to read it. */
const QUESTION_MS = 600_000;

/** Makes the protocol server of one client. The SDK frames messages and shakes hands; all else is passed to the session as it came. */
export function createClientServer(options: ClientServerOptions): Server {
  const { info, instructions, capabilities, authInfo, toSession } = options;
  const server = new ClientServer(info, { capabilities, instructions });
  server.removeRequestHandler('logging/setLevel');
  const standalone = toStandalone(server);
  let session: Session | undefined;
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    const call = toCall(server, params, context, authInfo);
    const its = toSession(call, standalone);
    session = its;
    const answer = await traceServer({ method, params }, () => its.handle({ method, params }, call), failureOf);
    return unwrap(answer, call);
  };
  server.fallbackNotificationHandler = async ({ method, params }) => session?.notify({ method, params });
  return server;
}

/** The way to a client beside its calls. */
export function toStandalone(server: Server): Origin {
  return {
    notify: ({ method, params }) => {
      // A client that is gone, or speaks a revision without such a message, hears nothing.
      server.notification({ method, params: { ...params } }).catch(() => undefined);
    },
    ask: ({ method, params }, options) =>
      toReply(() => server.request({ method, params: { ...params } }, anything, toRequestOptions(options))),
  };
}

/** What a client answers. The SDK throws at once where the client's revision knows no such question. */
async function toReply(ask: () => Promise<unknown>): Promise<RpcAnswer> {
  try {
    return { result: (await ask()) as Raw };
  } catch (error) {
    return toError(error);
  }
}

const toRequestOptions = ({ signal, onProgress }: AskOptions) => ({
  signal,
  timeout: QUESTION_MS,
  ...(onProgress !== undefined && { onprogress: (progress: Progress) => onProgress({ ...progress }) }),
});

/** What a session answers. */
const methods = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
]);

/** Stands for the code of a resource that there is not, in which the SDK would put that of 2026-07-28 for every client. */
const LEGACY_NOT_FOUND = -1_032_002;

/**
 * Refuses what nobody answers while the message is delivered: over HTTP it is a 404 then, as the revision 2026-07-28 wants it.
 * Tells clients of earlier revisions in their own words that there is no such resource.
 */
class ClientServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, sending) => {
      const isNotFound = 'error' in message && message.error.code === LEGACY_NOT_FOUND;
      if (!isNotFound) return send(message, sending);
      return send({ ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } }, sending);
    };
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const isRequest = 'method' in message && 'id' in message;
      if (!isRequest || methods.has(message.method)) return onmessage?.(message, extra);
      const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
      transport.send(toMessage({ id: message.id, error })).catch((cause: Error) => this.onerror?.(cause));
    };
  }
}

function unwrap(answer: RpcAnswer, { era }: Call): Record<string, unknown> {
  if ('result' in answer) return { ...answer.result };
  const { code, message, data } = answer.error;
  const isNotFound = era === 'legacy' && code === ProtocolErrorCode.ResourceNotFound;
  throw new ProtocolError(isNotFound ? LEGACY_NOT_FOUND : code, message, data);
}

function toCall(
  server: Server,
  params: Raw | undefined,
  { mcpReq, http }: ServerContext,
  fallback: AuthInfo | undefined,
): Call {
  const authInfo = http?.authInfo ?? fallback;
  const token = progressTokenOf(params);
  const envelope: Raw | undefined = mcpReq.envelope;
  const notify = ({ method, params: inner }: RpcRequest): void => {
    mcpReq.notify({ method, params: { ...inner } }).catch(() => undefined); // A client that is gone hears nothing.
  };
  const responses = mcpReq.inputResponses;
  const state = mcpReq.requestState();
  return {
    principal: toPrincipal(principalOf(authInfo) ?? localPrincipal, params),
    authInfo,
    signal: mcpReq.signal,
    era: envelope === undefined ? 'legacy' : 'modern',
    capabilities: withoutTasks(
      (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {}) as ClientCapabilities,
    ),
    envelope,
    input: {
      ...(responses !== undefined && { inputResponses: responses }),
      ...(state !== undefined && { requestState: state }),
    },
    onProgress: (progress) => {
      if (token !== undefined)
        notify({ method: 'notifications/progress', params: { ...progress, progressToken: token } });
    },
    notify,
    ask: ({ method, params: inner }, asking) =>
      toReply(() => mcpReq.send({ method, params: { ...inner } }, anything, toRequestOptions(asking))),
  };
}

function toError(thrown: unknown): RpcAnswer {
  if (thrown instanceof ProtocolError) {
    const { code, message, data } = thrown;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
  return { error: { code: -32_603, message: 'the client did not answer' } };
}

/** Tasks are not passed on, so that no server may begin one; 2026-07-28 has them in an extension. */
export function withoutTasks({ tasks, extensions, ...capabilities }: ClientCapabilities): ClientCapabilities {
  if (extensions === undefined) return capabilities;
  const { 'io.modelcontextprotocol/tasks': extension, ...others } = extensions;
  return { ...capabilities, extensions: others };
}

/** A caller may say for whom it calls; that can only take rights away. */
function toPrincipal(caller: Principal, params: Raw | undefined): Principal {
  try {
    return narrowCaller(caller, params);
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
}
