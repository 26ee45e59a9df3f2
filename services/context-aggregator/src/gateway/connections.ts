import type { Upstreams, Wire } from '@contextloom/mcp-kit';
import { type ClientCapabilities, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { createChannel } from './channel.ts';
import type { Link, OpenLink } from './provider.ts';
import type { Origin } from './rpc.ts';

/** What connections to upstreams are kept by. */
export interface ConnectionsOptions {
  /** The connections of this process, which every client shares. */
  readonly shared: Upstreams;
  /** The servers of the house: they remember nothing of a connection, and get the caller with each request. */
  readonly ownServers: ReadonlySet<string>;
  /** Makes connections for one client; none is opened before it is needed. */
  readonly openFor: (capabilities: ClientCapabilities) => Upstreams;
}

/** The connections of one client. */
export interface ClientConnections {
  /** The connection to a server; `home` is where messages go that belong to no request. */
  readonly link: (server: string, home: Origin) => Link;
  readonly close: () => Promise<void>;
}

/** Connections to upstreams, by client. */
export interface Connections {
  /** For a client that can do this. */
  readonly connect: (capabilities: ClientCapabilities) => ClientConnections;
}

/**
 * A server of the house is reached over one connection by all: it is a process with a store, and keeps nothing of who called.
 * Any other server gets a connection for each client, since nobody knows what it keeps of one: a page that is open, a login,
 * a log level. So nothing of one client reaches another, and what such a server asks goes to the client whose connection it is.
 */
export function createConnections({ shared, ownServers, openFor }: ConnectionsOptions): Connections {
  const house = new Map([...ownServers].map((server) => [server, createHouseLink(shared, server)]));
  return {
    connect: (capabilities) => {
      let own: Upstreams | undefined;
      const leaving: (() => void)[] = [];
      return {
        link: (server, home) => {
          const common = house.get(server);
          if (common !== undefined) {
            leaving.push(common.hub.join(home));
            return common.link;
          }
          own ??= openFor(capabilities);
          return createLink(own, { server, home, trust: 'foreign' });
        },
        close: async () => {
          for (const leave of leaving) leave();
          await own?.close();
        },
      };
    },
  };
}

function createHouseLink(shared: Upstreams, server: string) {
  const hub = createHub();
  return { hub, link: createLink(shared, { server, home: hub.origin, trust: 'house' }) };
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
    const channel = createChannel({ transport, forRequest, home, cancelsByClosing: era === 'modern' });
    const open = { channel, era, revision, capabilities };
    channels.set(wire, open);
    return open;
  };
  return {
    trust,
    use: (options, work) => upstreams.use(server, options, (wire, signal) => work(toOpen(wire), signal)),
  };
}
