import type { Log, ServerFactory, Upstreams } from '@contextloom/mcp-kit';
import { INSTRUCTIONS } from './build-server.ts';
import type { Exposure } from './gateway/catalogue/access-policy.ts';
import { createConnections } from './gateway/connections/connections.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import type { Discovery } from './gateway/session.ts';
import { SERVICE_NAME } from './operations/deps.ts';
import type { Deadlines } from './sources/asking/deps.ts';

/** What the gateway in front of the aggregator and its upstreams is built from. */
export interface AggregatorGatewayOptions {
  readonly own: ServerFactory;
  readonly upstreams: Upstreams;
  /** Makes connections for one client, which may be asked what that client can do. */
  readonly openFor: Parameters<typeof createConnections>[0]['openFor'];
  readonly ownServers: ReadonlySet<string>;
  readonly exposures: Readonly<Record<string, Exposure>>;
  readonly deadlines: Deadlines;
  readonly discovery?: Discovery | undefined;
  readonly version: string;
  readonly log: Log;
}

/** Builds the server that offers the aggregator's own operations and what is exposed of its upstreams. */
export function createAggregatorGateway(options: AggregatorGatewayOptions): Gateway {
  const { own, upstreams, openFor, ownServers, exposures, deadlines, discovery, version, log } = options;
  return createGateway({
    info: { name: SERVICE_NAME, version },
    instructions: INSTRUCTIONS,
    own,
    connections: createConnections({ shared: upstreams, ownServers, openFor }),
    exposures,
    discovery,
    deadlines: { listMs: deadlines.sourceMs, requestMs: deadlines.storeMs },
    log,
  });
}
