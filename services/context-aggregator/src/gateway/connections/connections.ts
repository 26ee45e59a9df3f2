import type { ServerEntries, Upstreams, Wire } from '@contextloom/mcp-client';
import { type ClientCapabilities, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { createChannel } from '../messages/channel.ts';
import type { Link, OpenLink } from '../messages/provider.ts';
import type { Origin } from '../messages/rpc.ts';

/** What a client can do, which its connections are opened with. */
export interface ClientAbility {
  readonly capabilities: ClientCapabilities;
  /** Its own era: a server that speaks it as well needs no translation. */
  readonly prefers: 'legacy' | 'modern';
}

/** What connections to upstreams are kept by. */
export interface ConnectionsOptions {
  /** The connections of this process, which every client shares. */
  readonly shared: Upstreams;
  /** Whether a server is one of this installation: those remember nothing of a connection, and get the caller with each request. */
  readonly isFirstParty: (server: string) => boolean;
  /** Makes connections for one client, which count as those of `owner`; none is opened before it is needed. */
  readonly openFor: (client: ClientAbility, servers: ServerEntries, owner: string) => Upstreams;
}

/** The connections of one client. */
export interface ClientConnections {
  /** The connection to a server; `home` is where messages go that belong to no request. */
  readonly link: (server: string, home: Origin) => Link;
  /** Takes these servers: connections to those that are as before stay. */
  readonly update: (servers: ServerEntries) => void;
  /** Tells nothing more of a server to the `home` that it was linked with. */
  readonly leave: (server: string) => void;
  readonly close: () => Promise<void>;
}

/** Connections to upstreams, by client. */
export interface Connections {
  readonly isFirstParty: ConnectionsOptions['isFirstParty'];
  readonly connect: (client: ConnectingClient) => ClientConnections;
}

/** The client that connections are for. */
export interface ConnectingClient extends Pick<ClientAbility, 'prefers'> {
  /** The servers as they are reached for it. */
  readonly servers: ServerEntries;
  /** Among whose connections its own count. */
  readonly owner: string;
}

/**
 * A first-party server is reached over one connection by all: it is a process with a store, and keeps nothing of who called.
 * Any other server gets a connection for each client, since nobody knows what it keeps of one: a page that is open, a login,
 * a log level. So nothing of one client reaches another, and what such a server asks goes to the client whose connection it is.
 */
export function createConnections({ shared, isFirstParty, openFor }: ConnectionsOptions): Connections {
  const firstParty = new Map<string, ReturnType<typeof createFirstPartyLink>>();
  const toFirstPartyLink = (server: string) => {
    const known = firstParty.get(server) ?? createFirstPartyLink(shared, server);
    firstParty.set(server, known);
    return known;
  };
  return {
    isFirstParty,
    connect: ({ prefers, servers: initial, owner }) => {
      let servers = initial;
      const opened = new Map<string, Upstreams>();
      const leaving = new Map<string, () => void>();
      const open = (client: ClientAbility): Upstreams => {
        const key = JSON.stringify(client);
        const upstreams = opened.get(key) ?? openFor(client, servers, owner);
        opened.set(key, upstreams);
        return upstreams;
      };
      return {
        link: (server, home) => {
          if (!isFirstParty(server)) return createThirdPartyLink(open, { server, home, prefers });
          const common = toFirstPartyLink(server);
          leaving.set(server, common.hub.join(home));
          return common.link;
        },
        update: (next) => {
          servers = next;
          for (const upstreams of opened.values()) upstreams.update(servers);
        },
        leave: (server) => leaving.get(server)?.(),
        close: async () => {
          for (const leave of leaving.values()) leave();
          await Promise.all([...opened.values()].map((upstreams) => upstreams.close()));
        },
      };
    },
  };
}

/**
 * A client of 2026-07-28 says with each request what it can do, and so does a request to a server of that revision: one
 * connection does for all. A server of an earlier one gets it when the connection is opened.
 */
function createThirdPartyLink(
  open: (client: ClientAbility) => Upstreams,
  { server, home, prefers }: Pick<LinkTo, 'server' | 'home'> & Pick<ClientAbility, 'prefers'>,
): Link {
  const links = new Map<Upstreams, Link>();
  const toLink = (client: ClientAbility): Link => {
    const upstreams = open(client);
    const link = links.get(upstreams) ?? createLink(upstreams, { server, home, trust: 'third-party' });
    links.set(upstreams, link);
    return link;
  };
  return {
    trust: 'third-party',
    isOpen: () => [...links.values()].some((link) => link.isOpen()),
    use: async (options, work) => {
      const { capabilities = {} } = options;
      if (prefers === 'legacy') return toLink({ capabilities, prefers }).use(options, work);
      const used = await toLink({ capabilities: {}, prefers }).use(options, async (its, signal) => {
        const mustKnow = its.era === 'legacy' && Object.keys(capabilities).length > 0;
        return mustKnow ? undefined : { done: await work(its, signal) };
      });
      if (used.kind !== 'ok') return used;
      if (used.value !== undefined) return { kind: 'ok', value: used.value.done };
      return toLink({ capabilities, prefers: 'legacy' }).use(options, work);
    },
  };
}

function createFirstPartyLink(shared: Upstreams, server: string) {
  const hub = createHub();
  return { hub, link: createLink(shared, { server, home: hub.origin, trust: 'first-party' }) };
}

/** Tells every client of a shared connection what belongs to no request, such as that lists changed; asks none of them anything. */
function createHub() {
  const homes = new Set<Origin>();
  const origin: Origin = {
    notify: (notification) => {
      // Words of a log may be about anybody's call.
      if (notification.method === 'notifications/message') return;
      for (const home of homes) home.notify(notification);
    },
    ask: async () => ({ error: { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' } }),
  };
  return {
    origin,
    join: (home: Origin) => {
      homes.add(home);
      return () => void homes.delete(home);
    },
  };
}

interface LinkTo {
  readonly server: string;
  readonly home: Origin;
  readonly trust: Link['trust'];
}

/** Makes a channel of each connection that is opened, for as long as it lives. */
function createLink(upstreams: Upstreams, { server, home, trust }: LinkTo): Link {
  const channels = new WeakMap<Wire, OpenLink>();
  const toOpen = (wire: Wire): OpenLink => {
    const known = channels.get(wire);
    if (known !== undefined) return known;
    const { transport, forRequest, era, revision, capabilities } = wire;
    const namesCalls = trust === 'first-party';
    const channel = createChannel({ transport, forRequest, home, namesCalls, cancelsByClosing: era === 'modern' });
    const open = { channel, era, revision, capabilities, listen: wire.listen };
    channels.set(wire, open);
    return open;
  };
  return {
    trust,
    isOpen: () => upstreams.isOpen(server),
    use: (options, work) => upstreams.use(server, options, (wire, signal) => work(toOpen(wire), signal)),
  };
}
