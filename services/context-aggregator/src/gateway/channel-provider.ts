import { PRINCIPAL_KEY, toPrincipalMeta, type UpstreamFailure } from '@contextloom/mcp-kit';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { Call } from './call.ts';
import { clientInfo } from './client-info.ts';
import { createLists, type ListsOptions } from './lists.ts';
import type { Link, OpenLink, Provider } from './provider.ts';
import { metaOf, type Raw, type RpcAnswer, type RpcRequest, withMeta } from './rpc.ts';

/** What a provider on a connection is made from. */
export interface ChannelProviderOptions extends ListsOptions {
  /** How long a request may take, in milliseconds. */
  readonly requestMs: number;
}

/** Makes a provider of whatever speaks the protocol at the other end of a link. */
export function createChannelProvider(
  options: ChannelProviderOptions,
): Provider & { readonly expire: ReturnType<typeof createLists>['expire'] } {
  const { server, link, requestMs, closing } = options;
  const lists = createLists(options);
  let last: OpenLink | undefined;
  return {
    name: server,
    list: lists.get,
    expire: lists.expire,
    request: async (request, call) => {
      const asked = await link.use({ timeoutMs: requestMs, signal: call.signal }, (open, signal) => {
        if (last !== open) lists.expire(); // A server that was started again may be another version.
        last = open;
        return send(open, toUpstream(request, call, open, link.trust), { ...call, signal });
      });
      return asked.kind === 'ok' ? asked.value : toFailed(request, server, asked);
    },
    notify: (notification) => {
      if (last !== undefined && !closing.aborted) void last.channel.notify(notification);
    },
  };
}

function send({ channel }: OpenLink, request: RpcRequest, call: Call): Promise<RpcAnswer> {
  const { signal, onProgress, authInfo } = call;
  return channel.request(request, { signal, origin: call, onProgress, authInfo });
}

/** A request as its server is to get it: who calls is told to servers of the house alone, whatever the client wrote there. */
function toUpstream({ method, params }: RpcRequest, call: Call, open: OpenLink, trust: Link['trust']): RpcRequest {
  if (trust === 'own') return { method, params };
  const principal = trust === 'house' ? metaOf(toPrincipalMeta(call))[PRINCIPAL_KEY] : undefined;
  if (open.era === 'legacy') return { method, params: withMeta(params, { [PRINCIPAL_KEY]: principal }) };
  const entries = { ...toEnvelope(call, open), [PRINCIPAL_KEY]: principal };
  return { method, params: withMeta({ ...params, ...call.input }, entries) };
}

/** What each request of the revision 2026-07-28 says; the aggregator is the client of its upstreams. */
function toEnvelope({ envelope, capabilities }: Call, { revision }: OpenLink): Raw {
  return {
    ...envelope,
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  };
}

/** A call of a tool that cannot be answered is a result that a model reads; anything else is an error of the protocol. */
function toFailed({ method }: RpcRequest, server: string, { reason }: UpstreamFailure): RpcAnswer {
  const text = `${server} ${reason}.`;
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text }], isError: true } };
  return { error: { code: ProtocolErrorCode.InternalError, message: text } };
}
