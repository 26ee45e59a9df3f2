import { type Log, localPrincipal, principalOf, type ServerFactory } from '@contextloom/mcp-kit';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Exposure } from './access-policy.ts';
import type { Call } from './call.ts';
import { type Exposed, toExposed } from './catalogue.ts';
import { createChannelProvider } from './channel-provider.ts';
import type { Connections } from './connections.ts';
import { createOwnLink } from './own-link.ts';
import type { Link, ListKind, Provider } from './provider.ts';
import type { Origin } from './rpc.ts';
import { createSession, type Session } from './session.ts';

/** How long servers are waited for, in milliseconds. */
export interface GatewayDeadlines {
  /** For a list; a server that is slower is listed when it comes. */
  readonly listMs: number;
  /** For everything that is passed on, a server's start included. */
  readonly requestMs: number;
}

/** What a gateway is made from. */
export interface GatewayOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  /** The aggregator's own operations. */
  readonly own: ServerFactory;
  readonly connections: Connections;
  /** The upstreams, and what of each is offered. */
  readonly exposures: Readonly<Record<string, Exposure>>;
  readonly deadlines: GatewayDeadlines;
  readonly log: Log;
}

/** Who a client is, and the way back to it. */
export interface ClientIdentity {
  readonly call: Pick<Call, 'capabilities'>;
  readonly authInfo: AuthInfo | undefined;
  readonly home: Origin;
}

/** What one client has open. */
export interface OpenClient {
  readonly session: Session;
  readonly exposed: readonly Exposed[];
  readonly close: () => Promise<void>;
}

/** Opens the providers for one client; no server is started before it is needed. */
export function openClient(options: GatewayOptions, { call, authInfo, home }: ClientIdentity): OpenClient {
  const { own, connections, exposures, info, log } = options;
  const closing = new AbortController();
  const connected = connections.connect(call.capabilities);
  const toProvider = (server: string, toLink: (home: Origin) => Link): Provider =>
    createProvider(options, { server, toLink, home, closing: closing.signal });
  const ownLink = createOwnLink({ factory: own, authInfo });
  const exposed = [
    toExposed(toProvider(info.name, ownLink.link), { prefix: '' }),
    ...Object.entries(exposures).map(([server, exposure]) =>
      toExposed(
        toProvider(server, (its) => connected.link(server, its)),
        exposure,
      ),
    ),
  ];
  const { scopes } = principalOf(authInfo) ?? localPrincipal;
  return {
    exposed,
    session: createSession({ exposed, mayWrite: scopes.includes('write'), log }),
    close: async () => {
      closing.abort();
      await Promise.all([connected.close(), ownLink.close()]);
    },
  };
}

interface ProviderOptions {
  readonly server: string;
  readonly toLink: (home: Origin) => Link;
  readonly home: Origin;
  readonly closing: AbortSignal;
}

/** A server that says that its lists changed is asked for them again, and the client hears it. */
function createProvider(
  { deadlines, log }: GatewayOptions,
  { server, toLink, home, closing }: ProviderOptions,
): Provider {
  const link = toLink({
    ...home,
    notify: (notification) => {
      for (const kind of listsChangedBy[notification.method] ?? []) provider.expire(kind);
      home.notify(notification);
    },
  });
  const { listMs, requestMs } = deadlines;
  const onLate = (kind: ListKind): void => home.notify({ method: toldBy[kind] });
  const waiting = { patienceMs: listMs, deadlineMs: requestMs, requestMs };
  const provider = createChannelProvider({ server, link, ...waiting, onLate, closing, log });
  return provider;
}

/** What tells a client that a list is another now. */
const toldBy: Readonly<Record<ListKind, string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
};

const listsChangedBy: Readonly<Record<string, readonly ListKind[]>> = {
  [toldBy.tools]: ['tools'],
  [toldBy.prompts]: ['prompts'],
  [toldBy.resources]: ['resources', 'resourceTemplates'],
};
