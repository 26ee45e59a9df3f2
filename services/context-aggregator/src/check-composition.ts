import { isDeepStrictEqual } from 'node:util';
import type { ServerEntries, Upstreams } from '@contextloom/mcp-client';
import { type AggregatorGatewayOptions, createAggregatorGateway } from './build-gateway.ts';
import type { AggregatorConfig } from './config.ts';
import { checkSources } from './sources/declared/check-sources.ts';

/** What checking a composition needs: the gateway's parts, with the servers of that composition. */
export type CheckCompositionOptions = Omit<AggregatorGatewayOptions, 'toSettings' | 'beforeCall'>;

/**
 * Holds a composition against what its servers have. A server that does not answer in time is not checked.
 * @throws ContextloomError `invalid` for a context source that names what its server does not have, and for a name that two
 * servers share
 * @param signal ends the check, and the connections that it is made over, early
 */
export async function checkComposition(
  config: AggregatorConfig,
  options: CheckCompositionOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { sources, deadlines } = config;
  const gateway = createAggregatorGateway({ ...options, toSettings: () => config });
  const { upstreams } = options;
  const stop = (): void => void Promise.allSettled([upstreams.close(), gateway.close()]);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await checkSources(sources, { upstreams, timeoutMs: deadlines.sourceMs });
    await gateway.check();
  } finally {
    signal?.removeEventListener('abort', stop);
    await gateway.close();
  }
}

/** What the servers of a composition that is not in force yet are reached with. */
export interface TrialOptions {
  readonly current: Pick<AggregatorConfig, 'servers' | 'ownServers'>;
  readonly next: Pick<AggregatorConfig, 'servers' | 'ownServers'>;
  /** The connections of the composition in force. */
  readonly upstreams: Upstreams;
  readonly openFor: (servers: ServerEntries) => Upstreams;
}

/**
 * Reaches the servers of a composition that is not in force yet. A first-party server that stays as it is has a store, which
 * one process at a time may open: it is asked over the connection that there is. All others are reached over new connections.
 */
export function createTrialUpstreams({ current, next, upstreams, openFor }: TrialOptions): Upstreams {
  const stays = ([server, entry]: readonly [string, unknown]): boolean =>
    [current, next].every(({ ownServers }) => ownServers.has(server)) &&
    isDeepStrictEqual(current.servers[server], entry);
  const entries = Object.entries(next.servers);
  const kept = new Set(entries.filter(stays).map(([server]) => server));
  const fresh = openFor(Object.fromEntries(entries.filter((entry) => !stays(entry))));
  const of = (server: string): Upstreams => (kept.has(server) ? upstreams : fresh);
  return {
    names: () => entries.map(([server]) => server),
    has: (server) => of(server).has(server),
    isOpen: (server) => of(server).isOpen(server),
    serviceOf: (server) => of(server).serviceOf(server),
    call: (server, ...rest) => of(server).call(server, ...rest),
    ping: (server, ...rest) => of(server).ping(server, ...rest),
    listTools: (server, ...rest) => of(server).listTools(server, ...rest),
    listPrompts: (server, ...rest) => of(server).listPrompts(server, ...rest),
    getPrompt: (server, ...rest) => of(server).getPrompt(server, ...rest),
    readResource: (server, ...rest) => of(server).readResource(server, ...rest),
    use: (server, options, work) => of(server).use(server, options, work),
    restart: (server, options) => of(server).restart(server, options),
    update: fresh.update,
    close: fresh.close,
  };
}
