import { isDeepStrictEqual } from 'node:util';
import { callerOf, onlyReached, type Principal } from '@contextloom/access';
import type { ServerEntries } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { ServerFactory } from '@contextloom/server-kit';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Exposure } from './catalogue/access-policy.ts';
import { type Exposed, toExposed } from './catalogue/catalogue.ts';
import { toServerIds } from './catalogue/namespace.ts';
import { type ChannelProvider, createChannelProvider } from './connections/channel-provider.ts';
import type { Connections } from './connections/connections.ts';
import { createOwnLink } from './connections/own-link.ts';
import type { Call } from './messages/call.ts';
import { keepByAbility } from './messages/keep-by-ability.ts';
import type { Link, ListKind, Session } from './messages/provider.ts';
import type { Origin } from './messages/rpc.ts';
import { createSuspendedCalls } from './messages/suspended-calls.ts';
import { createSession, type Discovery } from './session.ts';
import { createWatch, type Watch } from './watching.ts';

/** How long servers are waited for, in milliseconds. */
export interface GatewayDeadlines {
  /** For a list; a server that is slower is listed when it comes. */
  readonly listMs: number;
  /** For everything that is passed on, a server's start included. */
  readonly requestMs: number;
}

/** What the configuration lets clients see; it may change while they are connected. */
export interface Offer {
  /** The upstreams, and what of each is offered. */
  readonly exposures: Readonly<Record<string, Exposure>>;
  readonly deadlines: GatewayDeadlines;
  readonly discovery: Discovery;
}

/** What a gateway is made from. */
export interface GatewayOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  /** The aggregator's own operations. */
  readonly own: ServerFactory;
  readonly connections: Connections;
  readonly toOffer: () => Offer;
  /** Whose accounts a caller uses; undefined where it is bound to no one user, or no server asks for the caller's. */
  readonly toUser: (principal: Principal) => string | undefined;
  /** The servers as they are reached for a user now, without those that it has no account for. */
  readonly toServers: (user: string | undefined) => ServerEntries;
  readonly log: Log;
}

/** Who a client is, and the way back to it. */
export interface ClientIdentity {
  readonly era: Call['era'];
  /** What it can do, for lists that are requested outside of its calls. */
  readonly capabilities: ClientCapabilities;
  readonly authInfo: AuthInfo | undefined;
  /** Whose lists it sees. */
  readonly principal: Principal;
  /** Whose accounts its connections are opened with; those of the entries without it. */
  readonly user: string | undefined;
  /** The way to the client beside its calls. */
  readonly standalone: Origin;
}

/** What one client has open. */
export interface OpenClient {
  readonly session: Session;
  readonly exposed: () => readonly Exposed[];
  /** Takes what is offered, and how servers are reached, now. The client hears of it where it sees a difference. */
  readonly update: () => void;
  /** Watches resources for those who listen as this client. */
  readonly watch: Watch;
  /** Whether it has no call under way, none that waits for its client, and watches nothing. */
  readonly isIdle: () => boolean;
  readonly close: () => Promise<void>;
}

/** Opens the providers for one client; no server is started before it is needed. */
export function openClient(
  options: GatewayOptions,
  { era, capabilities, authInfo, principal, user, standalone }: ClientIdentity,
): OpenClient {
  const { own, connections, toOffer, toServers, info, log } = options;
  let [offer, servers] = [toOffer(), toServers(user)];
  const closing = new AbortController();
  const calls = new Set<Call>();
  const connected = connections.connect({ prefers: era, servers, owner: toOwner(principal, user, callerOf(authInfo)) });
  const providers = new Map<string, ChannelProvider>();
  const toProvider = (server: string, toLink: (home: Origin) => Link): ChannelProvider => {
    const known = providers.get(server);
    if (known !== undefined) return known;
    const way = { standalone, calls };
    const made = createProvider(options, { ...way, server, toLink, principal, closing: closing.signal });
    providers.set(server, made);
    return made;
  };
  const ownLink = createOwnLink({ factory: own, authInfo });
  const suspended = createSuspendedCalls();

  function compose() {
    const { exposures, discovery } = offer;
    const ids = toServerIds(Object.keys(exposures));
    const reached = Object.entries(exposures).filter(([server]) => servers[server] !== undefined);
    const exposed = [
      toExposed(toProvider(info.name, ownLink.link), { prefix: '' }),
      ...reached.map(([server, exposure]) =>
        toExposed(
          toProvider(server, (its) => connected.link(server, its)),
          exposure,
          ids.get(server),
        ),
      ),
    ];
    const mayWrite = principal.scopes.includes('write');
    const toSession = (can: ClientCapabilities): Session =>
      createSession({ exposed, mayWrite, capabilities: can, discovery, suspended, log });
    return { exposed, toSession: keepByAbility(toSession).of };
  }

  let composed = compose();
  return {
    exposed: () => composed.exposed,
    session: tracking((can = capabilities) => composed.toSession(can), calls),
    update: () => {
      const [lastOffer, lastServers] = [offer, servers];
      [offer, servers] = [toOffer(), toServers(user)];
      const isSame = isDeepStrictEqual(lastOffer, offer) && isDeepStrictEqual(lastServers, servers);
      connected.update(servers);
      for (const [server, provider] of providers) {
        if (provider.trust === 'self') continue;
        const isOffered = offer.exposures[server] !== undefined && servers[server] !== undefined;
        if (!isOffered || (provider.trust === 'first-party') !== connections.isFirstParty(server)) {
          connected.leave(server);
          providers.delete(server);
        } else if (!isDeepStrictEqual(lastServers[server], servers[server])) provider.forget();
      }
      composed = compose();
      if (!isSame) for (const method of new Set(Object.values(toldBy))) standalone.notify({ method });
    },
    watch: createWatch((request, call) => composed.toSession(call.capabilities).handle(request, call)),
    isIdle: () =>
      calls.size === 0 && !suspended.isWaiting() && ![...providers.values()].some((provider) => provider.isWatching()),
    close: async () => {
      closing.abort();
      await Promise.all([connected.close(), ownLink.close()]);
    },
  };
}

/** A user counts as one, whichever key or application calls for them; a caller without one by what it can add nothing to. */
function toOwner({ name, users }: Principal, user = onlyReached(users), caller = name): string {
  return user === undefined ? `caller ${caller}` : `user ${user}`;
}

/** Takes note of the calls that are under way. */
function tracking(toSession: (can?: ClientCapabilities) => Session, calls: Set<Call>): Session {
  return {
    tool: (name, can) => toSession(can).tool(name),
    notify: (notification) => toSession().notify(notification),
    handle: async (request, call) => {
      calls.add(call);
      try {
        return await toSession(call.capabilities).handle(request, call);
      } finally {
        calls.delete(call);
      }
    },
  };
}

const newest = (calls: ReadonlySet<Call>, otherwise: Origin): Origin => [...calls].at(-1) ?? otherwise;

/**
 * Where messages of a server go that name no call. A question goes along with the newest call of this server, which may be
 * one that waits for answers; words of a log along with the newest of any, since some clients listen there alone.
 */
function toHome({ calls, standalone }: Pick<ProviderOptions, 'calls' | 'standalone'>, its: ReadonlySet<Call>): Origin {
  return {
    ask: (request, options) => newest(its, standalone).ask(request, options),
    notify: (notification) => {
      const isLog = notification.method === 'notifications/message';
      (isLog ? newest(calls, standalone) : standalone).notify(notification);
    },
  };
}

interface ProviderOptions {
  readonly server: string;
  readonly toLink: (home: Origin) => Link;
  /** The way to the client beside its calls. */
  readonly standalone: Origin;
  /** What it has asked of any server. */
  readonly calls: ReadonlySet<Call>;
  readonly principal: Principal;
  readonly closing: AbortSignal;
}

/** A server that says that its lists changed is listed again, and the client hears it. */
function createProvider(
  { toOffer, log }: GatewayOptions,
  { server, toLink, standalone, calls, principal, closing }: ProviderOptions,
): ChannelProvider {
  const underWay = new Set<Call>();
  const home = toHome({ calls, standalone }, underWay);
  const link = toLink({
    ...home,
    notify: (notification) => {
      // The connection to a first-party server brings what any client watches.
      if (notification.method === 'notifications/resources/updated') {
        const shown = provider.shownWatched(String(notification.params?.['uri']));
        if (shown !== undefined) home.notify({ ...notification, params: { ...notification.params, uri: shown } });
        else if (link.trust === 'third-party') home.notify(notification); // Of a part of what is watched, perhaps.
        return;
      }
      for (const kind of listsChangedBy.get(notification.method) ?? []) provider.expire(kind);
      home.notify(notification);
    },
  });
  const { listMs, requestMs } = toOffer().deadlines;
  const onLate = (kind: ListKind): void => home.notify({ method: toldBy[kind] });
  const waiting = { underWay, patienceMs: listMs, deadlineMs: requestMs, requestMs };
  const provider = createChannelProvider({ server, link, principal, ...waiting, onLate, closing, log });
  return provider;
}

/** What tells a client that a list is another now. */
const toldBy: Readonly<Record<ListKind, string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
};

const listsChangedBy: ReadonlyMap<string, readonly ListKind[]> = new Map([
  [toldBy.tools, ['tools']],
  [toldBy.prompts, ['prompts']],
  [toldBy.resources, ['resources', 'resourceTemplates']],
]);
