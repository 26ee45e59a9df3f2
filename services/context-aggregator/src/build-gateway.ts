import { onlyReached } from '@contextloom/access';
import type { Accounts, Upstreams } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { ServerFactory } from '@contextloom/server-kit';
import { INSTRUCTIONS } from './build-server.ts';
import type { AggregatorConfig } from './config.ts';
import { createConnections } from './gateway/connections/connections.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { SERVICE_NAME } from './operations/deps.ts';

/** What of its configuration the gateway reads. */
export type GatewaySettings = Pick<
  AggregatorConfig,
  'servers' | 'ownServers' | 'exposures' | 'discovery' | 'deadlines'
>;

/** What the gateway in front of the aggregator and its upstreams is built from. */
export interface AggregatorGatewayOptions {
  readonly own: ServerFactory;
  readonly upstreams: Upstreams;
  /** Makes connections for one client, which may be asked what that client can do. */
  readonly openFor: Parameters<typeof createConnections>[0]['openFor'];
  /** What the configuration says now. */
  readonly toSettings: () => GatewaySettings;
  /** With which account each server is reached. */
  readonly accounts: Pick<Accounts, 'toServers'>;
  /** Called before each request, so that an account that was taken away is not used once more. */
  readonly beforeCall?: () => void;
  readonly version: string;
  readonly log: Log;
}

/** Builds the server that offers the aggregator's own operations and what is exposed of its upstreams. */
export function createAggregatorGateway(options: AggregatorGatewayOptions): Gateway {
  const { own, upstreams, openFor, toSettings, accounts, beforeCall = () => undefined, version, log } = options;
  return createGateway({
    info: { name: SERVICE_NAME, version },
    instructions: INSTRUCTIONS,
    own,
    connections: createConnections({
      shared: upstreams,
      openFor,
      isFirstParty: (server) => toSettings().ownServers.has(server),
    }),
    beforeCall,
    toUser: (principal) => {
      const asksForCallers = Object.values(toSettings().servers).some(
        ({ credentials = 'own' }) => credentials !== 'own',
      );
      return asksForCallers ? onlyReached(principal.users) : undefined;
    },
    toServers: (user) => accounts.toServers(toSettings().servers, user),
    toOffer: () => {
      const { exposures, discovery, deadlines } = toSettings();
      return { exposures, discovery, deadlines: { listMs: deadlines.sourceMs, requestMs: deadlines.storeMs } };
    },
    log,
  });
}
