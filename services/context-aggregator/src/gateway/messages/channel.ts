import { randomUUID } from 'node:crypto';
import { CALL_KEY } from '@contextloom/mcp-client';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import {
  type AskOptions,
  metaOf,
  type Origin,
  progressTokenOf,
  type Raw,
  type RpcAnswer,
  type RpcNotification,
  type RpcRequest,
  toMessage,
  withMeta,
} from './rpc.ts';

/** What is known of a request besides what it says. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Where the server's own messages about this request go; the channel's `home` without it. */
  readonly origin?: Origin | undefined;
  /** Gets the params of what the server says on the way, with its token; asked for where the request asks. */
  readonly onProgress?: ((params: Raw) => void) | undefined;
  /** Shown to a server in this process. */
  readonly authInfo?: AuthInfo | undefined;
  /** Sent with the request over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One connection to a server, on which messages pass as they are: ids and progress tokens are the channel's own. */
export interface Channel {
  readonly request: (request: RpcRequest, options: SendOptions) => Promise<RpcAnswer>;
  readonly notify: (notification: RpcNotification) => Promise<void>;
}

/** What a channel is made from. */
export interface ChannelOptions {
  readonly transport: Transport;
  /** A transport for one request, where there is one. */
  readonly forRequest?: ((onBroken: (error: Error) => void) => Transport) | undefined;
  /** Where messages go that come with no request. */
  readonly home: Origin;
  /** Whether closing the request's transport cancels it, as in the revision 2026-07-28. */
  readonly cancelsByClosing?: boolean;
  /** Whether the server says in which call it asks something: one of this installation does, and all callers share its connection. */
  readonly namesCalls?: boolean;
  readonly newToken?: () => string;
}

/** A request that is not answered yet. */
interface Open {
  readonly settle: (answer: RpcAnswer) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: SendOptions['onProgress'];
  /** Where what the server asks in the middle of it goes. */
  readonly origin: Origin;
  /** What the server names it by, which no other caller on this connection can guess. */
  readonly token: string;
}

/** Above the ids of the SDK's client, which counts from 0 on the same connection. */
const FIRST_ID = 1_000_000_000;

/** The error of a request whose caller gave it up. */
export class CancelledError extends Error {}

/** Puts a channel in front of whoever receives a transport's messages; what is not the channel's own is passed on to it. */
export function createChannel(options: ChannelOptions): Channel {
  const { transport, forRequest, home, cancelsByClosing = false, namesCalls = false, newToken = randomUUID } = options;
  const open = new Map<string | number, Open>();
  const running = new Map<string | number, AbortController>();
  let nextId = FIRST_ID;

  async function answer(request: JSONRPCRequest, origin: Origin, lane: Transport): Promise<void> {
    const stop = new AbortController();
    running.set(request.id, stop);
    const { id, method } = request;
    const params = withMeta(request.params, { [CALL_KEY]: undefined });
    const token = progressTokenOf(params);
    const onProgress =
      token === undefined
        ? undefined
        : (progress: Raw) =>
            void send(lane, { method: 'notifications/progress', params: { ...progress, progressToken: token } });
    const reply = await askClient(origin, { method, params }, { signal: stop.signal, onProgress });
    if (running.get(id) === stop) running.delete(id);
    if (!stop.signal.aborted) await send(lane, { id, ...reply });
  }

  /** Whether a message is the channel's; `lane` is the transport it came over, `origin` the call that it belongs to. */
  function receive(message: JSONRPCMessage, origin: Origin, lane: Transport): boolean {
    if (!('method' in message)) {
      const { id } = message;
      const request = id === undefined ? undefined : open.get(id);
      request?.settle('result' in message ? { result: message.result } : { error: message.error });
      return request !== undefined;
    }
    if ('id' in message) {
      if (message.method === 'ping') return false;
      const token = metaOf(message.params)[CALL_KEY];
      const asking = token === undefined ? undefined : [...open.values()].find((request) => request.token === token);
      // A call that another part of this process sent over the same connection.
      if (token !== undefined && asking === undefined) return false;
      void answer(message, asking?.origin ?? origin, lane);
      return true;
    }
    return receiveNotification(message, origin);
  }

  function receiveNotification({ method, params }: RpcNotification, origin: Origin): boolean {
    if (method === 'notifications/progress') {
      const token = params?.['progressToken'];
      const request = open.get(token as string | number);
      request?.onProgress?.(params ?? {});
      return request !== undefined;
    }
    if (method === 'notifications/cancelled') {
      const stop = running.get(params?.['requestId'] as string | number);
      stop?.abort();
      return stop !== undefined;
    }
    // The SDK's client has requested the reports that come on this connection.
    if (method === 'notifications/subscriptions/acknowledged') return false;
    origin.notify({ method, params: withMeta(params, { [SUBSCRIPTION_ID_META_KEY]: undefined }) });
    return true;
  }

  intercept(
    transport,
    (message) => receive(message, home, transport),
    () => {
      for (const { fail } of open.values()) fail(new Error('the connection was closed'));
    },
  );

  return {
    notify: (notification) => send(transport, notification),
    request: async ({ method, params }, options) => {
      const { signal, origin = home, onProgress, authInfo, headers } = options;
      const id = nextId++;
      const token = onProgress !== undefined && progressTokenOf(params) !== undefined ? id : undefined;
      const call = newToken();
      const entries = { progressToken: token, ...(namesCalls && method === 'tools/call' && { [CALL_KEY]: call }) };
      const message = toMessage({ id, method, params: withMeta(params, entries) });
      const answered = new Promise<RpcAnswer>((settle, fail) =>
        open.set(id, { settle, fail, onProgress, origin, token: call }),
      );
      answered.catch(() => undefined); // Awaited below, unless sending fails first.
      const fail = (error: Error): void => open.get(id)?.fail(error);
      const lane = forRequest?.(fail) ?? transport;
      const done = lane === transport ? undefined : new AbortController();
      const cancel = (): void => {
        if (!cancelsByClosing || lane === transport) {
          const cancelled = {
            method: 'notifications/cancelled',
            params: { requestId: id, reason: String(signal.reason) },
          };
          void send(transport, cancelled);
        }
        done?.abort();
        fail(new CancelledError('the caller gave the request up'));
      };
      try {
        signal.throwIfAborted();
        signal.addEventListener('abort', cancel, { once: true });
        if (lane !== transport) {
          lane.onmessage = (incoming: JSONRPCMessage) => void receive(incoming, origin, lane);
          lane.onerror = (error) => {
            if (isNoAnswer(error)) fail(error); // The stream may stay open after it.
          };
          await lane.start();
        }
        const onRequestStreamEnd = (): void => {
          fail(new Error('the server ended its stream without an answer'));
          if (lane !== transport) closeQuietly(lane);
        };
        const sending = lane.send(message, {
          ...(done !== undefined && { requestSignal: done.signal, onRequestStreamEnd }),
          ...(authInfo && { authInfo }),
          ...(headers && { headers: { ...headers } }),
        });
        let isStream = false; // What is sent before its answer is there is answered by a stream.
        sending.then(() => {
          isStream = true;
        }, fail);
        const answer = await answered;
        if (lane !== transport && isStream) closeWhenEnded(lane);
        return answer;
      } catch (error) {
        if (lane !== transport) closeQuietly(lane);
        throw error;
      } finally {
        open.delete(id);
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}

/** Whether an error says that a message of a stream is no answer: the SDK's check names what it lacks to be a request, too. */
function isNoAnswer(error: unknown): boolean {
  const { issues } = Object(error) as { readonly issues?: readonly { readonly errors?: unknown[][] }[] };
  const found = issues?.flatMap(({ errors = [] }) => errors.flat()) ?? [];
  return found.some((issue) => String((Object(issue) as Raw)['path']) === 'method');
}

/** How long a stream may stay open after its answer, in milliseconds. */
const STREAM_END_MS = 1_000;

/** Lets a request's stream come to its end: closing it sooner would cost its TCP connection, which the next request can use. */
function closeWhenEnded(lane: Transport): void {
  const timer = setTimeout(() => closeQuietly(lane), STREAM_END_MS).unref();
  lane.onmessage = () => undefined; // The request is over.
  lane.onclose = () => clearTimeout(timer);
}

/** Looks at each message first; what `receive` does not take goes to whoever received the messages before. */
function intercept(transport: Transport, receive: (message: JSONRPCMessage) => boolean, onClose: () => void): void {
  const { onmessage, onclose } = transport;
  transport.onmessage = (message, extra) => {
    if (!receive(message)) onmessage?.(message, extra);
  };
  transport.onclose = () => {
    onClose();
    onclose?.();
  };
}

/** What cannot be sent any more has nobody to report to: the connection's end is noticed on its own. */
async function send(transport: Transport, message: object): Promise<void> {
  try {
    await transport.send(toMessage(message));
  } catch {
    return;
  }
}

/** A stream that cannot be closed is over all the same. */
function closeQuietly(lane: Transport): void {
  lane.close().catch(() => undefined);
}

/** A server gets an answer to each of its questions, whatever becomes of them. */
async function askClient(origin: Origin, request: RpcRequest, options: AskOptions): Promise<RpcAnswer> {
  try {
    return await origin.ask(request, options);
  } catch {
    return { error: { code: ProtocolErrorCode.InternalError, message: 'the client could not be asked' } };
  }
}
