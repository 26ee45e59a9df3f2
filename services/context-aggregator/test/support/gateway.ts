import type { Principal } from '@contextloom/access';
import {
  type ConnectionLimits,
  createChildWatch,
  createConnectionPool,
  createLimits,
  createUpstreams,
  type ServerEntry,
  type StdioServerEntry,
} from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { createHttpApp, createMcpEndpoint, type Listening, listen, type ServerFactory } from '@contextloom/server-kit';
import { createAggregatorGateway } from '../../src/build-gateway.ts';
import { createAggregatorServer } from '../../src/build-server.ts';
import { parseExposures } from '../../src/gateway/catalogue/parse-exposures.ts';

/** An upstream that listens on this machine. */
export interface RunningUpstream extends Listening {
  readonly address: string;
}

/** Serves an upstream over HTTP, in both eras or as a server that knows nothing of the other. */
export async function startUpstream(
  factory: ServerFactory,
  eras: 'both' | 'legacy' | 'modern' = 'both',
): Promise<RunningUpstream> {
  const endpoint = createMcpEndpoint(factory, { log: silentLog, drainMs: 0 });
  const app = await createHttpApp();
  app.all('/mcp', (request, response, next) => {
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28';
    if (eras === 'both' || isModern === (eras === 'modern')) return endpoint.handle(request, response, next);
    response
      .status(400)
      .json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Unsupported protocol version' } });
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 0 });
  const close = async (): Promise<void> => {
    await Promise.all([listening.close(), endpoint.close()]);
  };
  return { ...listening, address: `${listening.url}/mcp`, close };
}

/** What a gateway in a test stands in front of. */
export interface TestGatewayOptions {
  /** Upstreams by name: their addresses, with a transport other than streamable HTTP where one is named. */
  readonly urls?: Readonly<Record<string, string | { readonly url: string; readonly type: 'sse' }>>;
  /** More of them: programs that are started. */
  readonly programs?: Readonly<Record<string, StdioServerEntry>>;
  /** What bounds the calls to all of them. */
  readonly bounds?: { readonly timeoutMs?: number; readonly concurrency?: number };
  readonly expose?: Readonly<Record<string, unknown>>;
  readonly ownServers?: readonly string[];
  readonly listMs?: number;
  readonly discovery?: 'list' | 'search';
  readonly connections?: ConnectionLimits;
}

/** A gateway in this process. */
export interface TestGateway {
  readonly factory: ServerFactory;
  readonly check: () => Promise<void>;
  /** How many connections clients have open. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Builds a gateway as the entry file would, without the aggregator's own upstreams being asked anything. */
export function createTestGateway(options: TestGatewayOptions): TestGateway {
  const { urls = {}, programs = {}, bounds, expose, ownServers = [], listMs = 20_000, discovery = 'list' } = options;
  const { connections = { inAll: 1_000, perOwner: 1_000 } } = options;
  const reached = Object.entries(urls).map(([name, at]) => [
    name,
    { ...(typeof at === 'string' ? { url: at } : at), headers: {}, ...bounds },
  ]);
  const servers: Readonly<Record<string, ServerEntry>> = { ...Object.fromEntries(reached), ...programs };
  const childWatch = createChildWatch();
  const client = {
    limits: createLimits(),
    childWatch,
    stderr: 'ignore' as const,
    log: silentLog,
    clientName: 'test',
    clientVersion: '0',
  };
  const upstreams = createUpstreams({ ...client, servers });
  const pool = createConnectionPool(() => connections);
  const settings = {
    servers,
    deadlines: { sourceMs: listMs, storeMs: 60_000 },
    ownServers: new Set(ownServers),
    discovery,
    exposures: parseExposures(expose, Object.keys(servers), ['expose']),
  };
  const shared = { upstreams, toSettings: () => settings, log: silentLog, version: '0' };
  const gateway = createAggregatorGateway({
    ...shared,
    accounts: { toServers: (entries) => entries },
    own: createAggregatorServer(shared),
    openFor: (can, entries, owner) =>
      createUpstreams({ ...client, ...can, servers: entries, pool: { connections: pool, owner } }),
  });
  return {
    factory: gateway.factory,
    check: gateway.check,
    connections: pool.count,
    close: async () => {
      await Promise.all([gateway.close(), upstreams.close()]);
    },
  };
}

/** A caller who may do all that this one user may. */
export const only = (user: string): Principal => ({
  name: user,
  users: [user],
  projects: 'all',
  scopes: ['read', 'write'],
});
