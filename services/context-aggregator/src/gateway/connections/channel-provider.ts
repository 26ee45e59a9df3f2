import { PRINCIPAL_KEY } from '@contextloom/access';
import { toPrincipalMeta, type UpstreamFailure } from '@contextloom/mcp-client';
import { traceClient } from '@contextloom/runtime';
import { type ClientCapabilities, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Call } from '../messages/call.ts';
import { toEnvelope } from '../messages/envelope.ts';
import { keepByAbility } from '../messages/keep-by-ability.ts';
import { createLists, type Lists, type ListsOptions } from '../messages/lists.ts';
import { toParamHeaders } from '../messages/param-headers.ts';
import type { Item, Link, ListKind, OpenLink, Provider } from '../messages/provider.ts';
import {
  failureOf,
  metaOf,
  type Origin,
  type Raw,
  type RpcAnswer,
  type RpcRequest,
  withMeta,
} from '../messages/rpc.ts';
import { askUntilComplete, canAnswer, refused } from '../messages/suspended-calls.ts';
import { createUpstreamChanges, type UpstreamChanges } from './upstream-changes.ts';

/** What a provider on a connection is made from. */
export interface ChannelProviderOptions extends Omit<ListsOptions, 'capabilities'> {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
  /** Keeps the calls that the server has not answered yet: it may ask their client something. */
  readonly underWay: Set<Call>;
}

/** A provider whose lists can be requested again. */
export interface ChannelProvider extends Provider {
  readonly expire: Lists['expire'];
  readonly forget: Lists['forget'];
  /** The URI under which its client watches a resource; undefined where it does not. */
  readonly shownWatched: (uri: string) => string | undefined;
  /** Whether its client watches any. */
  readonly isWatching: () => boolean;
}

/** What a connection has to get again when it was opened anew. */
interface SentState {
  level: string | undefined;
  /** Resources that the client watches: their URIs for clients, by the server's own. */
  readonly watched: Map<string, string>;
}

/** Makes a provider of whatever speaks the protocol at the other end of a link. */
export function createChannelProvider(options: ChannelProviderOptions): ChannelProvider {
  const { server, link, requestMs, underWay, closing } = options;
  const announced: SentState = { level: undefined, watched: new Map() };
  const changes = new WeakMap<OpenLink, UpstreamChanges>();
  const reports = (open: OpenLink, kind: ListKind): boolean => {
    if (open.era === 'modern') return changes.get(open)?.reports(kind) === true;
    const offered = open.capabilities[kind === 'resourceTemplates' ? 'resources' : kind];
    return offered === undefined || offered.listChanged === true;
  };
  const lists = keepByAbility((capabilities) => createLists({ ...options, capabilities, greet, reports }));
  /** A server of ours lists the same for all. */
  const listsOf = (can: ClientCapabilities) => lists.of(link.trust === 'third-party' ? can : {});
  const expire = (kind?: ListKind): void => {
    for (const one of lists.all()) one.expire(kind);
  };
  const greeted = new WeakSet<OpenLink>();
  let last: OpenLink | undefined;

  async function greet(open: OpenLink, signal: AbortSignal): Promise<void> {
    if (greeted.has(open)) return;
    greeted.add(open);
    const isAgain = last !== undefined;
    last = open;
    expire(); // A server that was started again may be another version.
    if (link.trust === 'self') return;
    const { channel, capabilities, listen } = open;
    if (open.era === 'modern') {
      if (listen === undefined) return;
      const reported = createUpstreamChanges({ listen, capabilities, onResumed: () => expire(), closing });
      changes.set(open, reported);
      if (announced.watched.size > 0) await reported.watch([...announced.watched.keys()]);
      return;
    }
    if (announced.level !== undefined && capabilities.logging !== undefined) {
      await channel.request({ method: 'logging/setLevel', params: { level: announced.level } }, { signal });
    }
    if (!isAgain) return;
    for (const uri of announced.watched.keys())
      await channel.request({ method: 'resources/subscribe', params: { uri } }, { signal });
  }

  async function use(
    message: RpcRequest,
    call: Call,
    work: (open: OpenLink, signal: AbortSignal) => Promise<RpcAnswer>,
  ): Promise<RpcAnswer> {
    underWay.add(call);
    try {
      const done = await link.use({ ...call, timeoutMs: requestMs }, async (open, signal) => {
        await greet(open, signal);
        return work(open, signal);
      });
      return done.kind === 'ok' ? done.value : toFailed(message, server, done);
    } finally {
      underWay.delete(call);
    }
  }

  const request: Provider['request'] = (message, call, tool) =>
    use(message, call, (open, signal) =>
      send({ server, open, trust: link.trust, level: announced.level, tool }, message, { ...call, signal }),
    );

  /** Tells the server what is watched now: one of 2026-07-28 gets the whole list, any other what is new. */
  const tell = (message: RpcRequest, call: Call): Promise<RpcAnswer> =>
    use(message, call, async (open, signal) => {
      const reported = changes.get(open);
      if (reported === undefined) {
        return send({ server, open, trust: link.trust, level: announced.level }, message, { ...call, signal });
      }
      await reported.watch([...announced.watched.keys()]);
      const uri = String(message.params?.['uri']);
      const isRefused = announced.watched.has(uri) && !reported.watches(uri);
      return isRefused ? refuse(`${server} does not report changes of this resource`, { uri }) : { result: {} };
    });

  return {
    name: server,
    trust: link.trust,
    list: (kind, can) => listsOf(can).get(kind),
    firstList: (kind, can, signal) => listsOf(can).first(kind, signal),
    expire,
    forget: () => {
      for (const one of lists.all()) one.forget();
    },
    shownWatched: (uri) => announced.watched.get(uri),
    isWatching: () => announced.watched.size > 0,
    request,
    watch: async (uri, shown, call) => {
      const isNew = !announced.watched.has(uri);
      announced.watched.set(uri, shown);
      const answer = await tell({ method: 'resources/subscribe', params: { uri } }, call);
      if ('error' in answer && isNew) announced.watched.delete(uri);
      return answer;
    },
    unwatch: async (uri, call) => {
      const isWatched = announced.watched.delete(uri);
      // All clients share the connection to a first-party server, and others may watch the same.
      if (!isWatched || link.trust === 'first-party' || !link.isOpen() || closing.aborted) return { result: {} };
      return tell({ method: 'resources/unsubscribe', params: { uri } }, call);
    },
    setLevel: async (level, call) => {
      announced.level = level;
      const isHeard = last?.era === 'legacy' && last.capabilities.logging !== undefined && link.trust === 'third-party';
      if (isHeard) await request({ method: 'logging/setLevel', params: { level } }, call);
    },
    notify: (notification) => {
      if (last !== undefined && link.trust === 'third-party' && !closing.aborted)
        void last.channel.notify(notification);
    },
  };
}

const refuse = (message: string, data: Raw): RpcAnswer => ({
  error: { code: ProtocolErrorCode.InvalidParams, message, data },
});

/** Where a request goes. */
interface Target {
  readonly server: string;
  readonly open: OpenLink;
  readonly trust: Link['trust'];
  readonly level: string | undefined;
  /** What is listed of the tool that is called. */
  readonly tool?: Item | undefined;
}

/** All clients share the connection to a server of ours, which is opened as one that can be asked: each is asked what it can answer. */
function withinAbility(call: Call): Origin {
  return {
    notify: call.notify,
    ask: async (request, options) => (canAnswer(call, request) ? call.ask(request, options) : refused),
  };
}

async function send(target: Target, request: RpcRequest, call: Call): Promise<RpcAnswer> {
  const { channel, era } = target.open;
  const { signal, onProgress, authInfo } = call;
  const { tool } = target;
  const headers = era === 'modern' && tool !== undefined ? toParamHeaders(tool, request.params?.['arguments']) : {};
  const options = {
    signal,
    origin: target.trust === 'third-party' ? call : withinAbility(call),
    onProgress,
    authInfo,
    headers,
  };
  const sendWith = (input: Raw): Promise<RpcAnswer> => {
    const message = toUpstream(request, call, target, input);
    // Our own operations answer in this process, within the span of the call.
    if (target.trust === 'self') return channel.request(message, options);
    return traceClient(target.server, message, (sent) => channel.request(sent, options), failureOf);
  };
  if (era === 'legacy') return sendWith({});
  if (call.era === 'modern') return sendWith(call.input);
  return toLegacy(await askUntilComplete(request, call, sendWith));
}

/** Clients of earlier revisions do not know what kind of result it is. */
function toLegacy(answer: RpcAnswer): RpcAnswer {
  if ('error' in answer) return answer;
  const { resultType: _kind, ...result } = answer.result;
  return { result };
}

/**
 * A request as its server is to get it: who calls is sent to first-party servers alone, whatever the client wrote there. Tasks are
 * not offered, and a request that asks for one is answered without.
 */
function toUpstream(
  { method, params: { task, ...params } = {} }: RpcRequest,
  call: Call,
  { open, trust, level }: Target,
  input: Raw,
): RpcRequest {
  if (trust === 'self') return { method, params };
  const principal = trust === 'first-party' ? metaOf(toPrincipalMeta(call))[PRINCIPAL_KEY] : undefined;
  if (open.era === 'legacy') return { method, params: withMeta(params, { [PRINCIPAL_KEY]: principal }) };
  const entries = { ...toEnvelope(call, open, level), [PRINCIPAL_KEY]: principal };
  return { method, params: withMeta({ ...params, ...input }, entries) };
}

/** A call of a tool that cannot be answered is a result that a model reads; anything else is an error of the protocol. */
function toFailed({ method }: RpcRequest, server: string, { reason }: UpstreamFailure): RpcAnswer {
  const text = `${server} ${reason}.`;
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text }], isError: true } };
  return { error: { code: ProtocolErrorCode.InternalError, message: text } };
}
