import { PRINCIPAL_KEY, toPrincipalMeta, type UpstreamFailure } from '@contextloom/mcp-kit';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Call } from '../messages/call.ts';
import { toEnvelope } from '../messages/envelope.ts';
import { createLists, type ListsOptions } from '../messages/lists.ts';
import type { Link, OpenLink, Provider } from '../messages/provider.ts';
import { metaOf, type Raw, type RpcAnswer, type RpcRequest, withMeta } from '../messages/rpc.ts';
import { askUntilComplete } from '../messages/suspended-calls.ts';

/** What a provider on a connection is made from. */
export interface ChannelProviderOptions extends ListsOptions {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
}

/** A provider whose lists can be asked for again. */
export interface ChannelProvider extends Provider {
  readonly expire: ReturnType<typeof createLists>['expire'];
  readonly forget: ReturnType<typeof createLists>['forget'];
  /** Whether its client has subscribed to a resource. */
  readonly watches: (uri: string) => boolean;
}

/** What a connection has to be told again when it was opened anew. */
interface Told {
  level: string | undefined;
  readonly watched: Set<string>;
}

/** Makes a provider of whatever speaks the protocol at the other end of a link. */
export function createChannelProvider(options: ChannelProviderOptions): ChannelProvider {
  const { server, link, requestMs, closing } = options;
  const lists = createLists(options);
  const told: Told = { level: undefined, watched: new Set() };
  let last: OpenLink | undefined;

  async function greet(open: OpenLink, signal: AbortSignal): Promise<void> {
    if (last === open) return;
    const isAgain = last !== undefined;
    last = open;
    lists.expire(); // A server that was started again may be another version.
    const { channel } = open;
    if (open.era === 'modern' || link.trust === 'own') return;
    if (told.level !== undefined && open.capabilities.logging !== undefined) {
      await channel.request({ method: 'logging/setLevel', params: { level: told.level } }, { signal });
    }
    if (!isAgain) return;
    for (const uri of told.watched)
      await channel.request({ method: 'resources/subscribe', params: { uri } }, { signal });
  }

  async function request(asked: RpcRequest, call: Call): Promise<RpcAnswer> {
    const done = await link.use({ ...call, timeoutMs: requestMs }, async (open, signal) => {
      await greet(open, signal);
      return send({ open, trust: link.trust, level: told.level }, asked, { ...call, signal });
    });
    return done.kind === 'ok' ? done.value : toFailed(asked, server, done);
  }

  return {
    name: server,
    trust: link.trust,
    list: lists.get,
    expire: lists.expire,
    forget: lists.forget,
    watches: (uri) => told.watched.has(uri),
    request: (asked, call) => {
      const uri = asked.params?.['uri'];
      if (asked.method === 'resources/subscribe') told.watched.add(String(uri));
      if (asked.method === 'resources/unsubscribe') told.watched.delete(String(uri));
      return request(asked, call);
    },
    setLevel: async (level, call) => {
      told.level = level;
      const isHeard = last?.era === 'legacy' && last.capabilities.logging !== undefined && link.trust === 'foreign';
      if (isHeard) await request({ method: 'logging/setLevel', params: { level } }, call);
    },
    notify: (notification) => {
      if (last !== undefined && link.trust === 'foreign' && !closing.aborted) void last.channel.notify(notification);
    },
  };
}

/** Where a request goes. */
interface Target {
  readonly open: OpenLink;
  readonly trust: Link['trust'];
  readonly level: string | undefined;
}

async function send(target: Target, request: RpcRequest, call: Call): Promise<RpcAnswer> {
  const { channel, era } = target.open;
  const { signal, onProgress, authInfo } = call;
  const sendWith = (input: Raw): Promise<RpcAnswer> =>
    channel.request(toUpstream(request, call, target, input), { signal, origin: call, onProgress, authInfo });
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

/** A request as its server is to get it: who calls is told to servers of the house alone, whatever the client wrote there. */
function toUpstream(
  { method, params }: RpcRequest,
  call: Call,
  { open, trust, level }: Target,
  input: Raw,
): RpcRequest {
  if (trust === 'own') return { method, params };
  const principal = trust === 'house' ? metaOf(toPrincipalMeta(call))[PRINCIPAL_KEY] : undefined;
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
