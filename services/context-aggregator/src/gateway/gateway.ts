import { localPrincipal, principalOf } from '@contextloom/access';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { ServerFactory } from '@contextloom/server-kit';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import { createBroadcast } from './broadcast.ts';
import { type Exposed, readNames } from './catalogue/catalogue.ts';
import { createClientPool } from './client-pool.ts';
import { createClientServer, toStandalone } from './client-server.ts';
import { putLast, takeLeastRecent } from './least-recent.ts';
import type { Call } from './messages/call.ts';
import type { Session } from './messages/provider.ts';
import type { Origin } from './messages/rpc.ts';
import { createModernClients } from './modern-clients.ts';
import { type GatewayOptions, type OpenClient, openClient } from './open-client.ts';

/** Where two servers can bring the same name: each pair that has the same prefix, such as none. */
function* pairs(exposed: readonly Exposed[]): Generator<readonly [Exposed, Exposed]> {
  for (const [at, one] of exposed.entries()) {
    for (const other of exposed.slice(at + 1)) {
      const [a, b] = [one, other].map(({ namespace }) => namespace.prefix);
      const hasNames = [one, other].some(({ exposure }) => exposure.rename !== undefined);
      if (hasNames || a === b) yield [one, other];
    }
  }
}

/**
 * Refuses a configuration under which two servers offer the same name. Only servers whose names can meet are asked what they
 * have; one that does not answer is passed over, and its names give way when it comes.
 * @throws ContextloomError `invalid`, naming both servers
 */
async function checkNames(exposed: readonly Exposed[]): Promise<void> {
  for (const [one, other] of pairs(exposed)) {
    for (const kind of ['tools', 'prompts'] as const) {
      const [first, second] = await Promise.all([readNames(one, kind), readNames(other, kind)]);
      const shared = first.find(({ name }) => second.some((entry) => entry.name === name));
      if (shared === undefined) continue;
      const servers = [one, other].map(({ provider }) => provider.name).join(' and ');
      throw new ContextloomError(
        'invalid',
        `${servers} both offer ${shared.name}: give one of them a "prefix" or a "rename" in aggregator.expose`,
        {
          field: 'expose',
        },
      );
    }
  }
}

/** What a gateway is created with. */
export interface CreateGatewayOptions extends GatewayOptions {
  /** Called before each request, so that an account that was taken away is not used once more. */
  readonly beforeCall: () => void;
}

/** The servers of clients, and the end of all that they have open. */
export interface Gateway {
  readonly factory: ServerFactory;
  /** Refuses names that two servers share. @throws ContextloomError `invalid` */
  readonly check: () => Promise<void>;
  /** Takes the configuration and the accounts as they are now. Clients that see a difference hear `list_changed`. */
  readonly update: () => void;
  readonly close: () => Promise<void>;
}

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/** Builds the servers that offer the aggregator's own operations and those of its upstreams, one for each client. */
export function createGateway(options: CreateGatewayOptions): Gateway {
  const { info, instructions, toUser, beforeCall, log } = options;
  const pool = createClientPool(log);
  const sessions = new Set<OpenClient>();
  const close = async (opened: OpenClient): Promise<void> => {
    sessions.delete(opened);
    await opened.close().catch((cause: unknown) => log.warn({ cause }, 'connections of a client could not be closed'));
  };
  const modern = createModernClients(options, { pool, sessions });
  const create: ServerFactory = (context) => {
    const { authInfo } = context;
    const opened = new Map<string | undefined, OpenClient>();
    const toSession = (call: Call, standalone: Origin): Session => {
      beforeCall();
      if (isStateless(context)) return modern.pooled(call.principal, authInfo).opened.session;
      // A call may be for one user, whose accounts it uses; what the session lists is for its caller.
      const user = toUser(call.principal);
      const { era, capabilities: can } = call;
      const principal = principalOf(authInfo) ?? localPrincipal;
      const known = opened.get(user);
      const evicted = known === undefined ? takeLeastRecent(opened, ({ isIdle }) => isIdle()) : undefined;
      if (evicted !== undefined) void close(evicted);
      const client = known ?? openClient(options, { era, capabilities: can, authInfo, principal, user, standalone });
      putLast(opened, user, client);
      sessions.add(client);
      return client.session;
    };
    const server = createClientServer({ info, instructions, capabilities, authInfo, toSession });
    let leave = (): void => undefined;
    if (context.era === 'modern' && !isStateless(context)) {
      const connected = modern.connected(authInfo);
      opened.set(toUser(principalOf(authInfo) ?? localPrincipal), connected.opened);
      leave = connected.broadcast.hear(toStandalone(server).notify);
    }
    server.onclose = () => {
      leave();
      for (const client of opened.values()) void close(client);
    };
    return server;
  };
  const findMismatch: NonNullable<ServerFactory['findMismatch']> = async (request) => {
    beforeCall();
    return modern.findMismatch(request).catch((error: unknown) => {
      if (isContextloomError(error)) return undefined; // A wrong principal is told of when the call is answered.
      throw error;
    });
  };
  const factory = Object.assign(create, { listen: modern.listen, findMismatch });
  return {
    factory,
    check: async () => {
      const looking = openClient(options, {
        era: 'legacy',
        capabilities: {},
        authInfo: undefined,
        principal: localPrincipal,
        user: undefined,
        standalone: createBroadcast().origin,
      });
      sessions.add(looking);
      try {
        await checkNames(looking.exposed());
      } finally {
        await close(looking);
      }
    },
    update: () => {
      for (const opened of [...sessions, ...pool.all()]) opened.update();
    },
    close: async () => {
      await Promise.all([...sessions, ...pool.takeAll()].map(close));
    },
  };
}

/** The revision 2026-07-28 over HTTP: each request comes to a server of its own. */
const isStateless = ({ era, requestInfo }: McpRequestContext): boolean => era === 'modern' && requestInfo !== undefined;
