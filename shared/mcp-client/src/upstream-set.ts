import { isDeepStrictEqual } from 'node:util';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import type { ServerEntry } from './composition/config.ts';
import type { ReconnectingConnection } from './reconnecting-connection.ts';

/** The servers of a composition, by name. */
export type ServerEntries = Readonly<Record<string, ServerEntry>>;

/** One server as this side keeps it. */
export interface Upstream {
  readonly entry: ServerEntry;
  readonly kept: ReconnectingConnection;
  readonly guard: CircuitBreaker;
}

/** The servers that can be reached now. */
export interface UpstreamSet {
  readonly get: (server: string) => Upstream | undefined;
  readonly names: () => readonly string[];
  /** Takes other entries: a server whose entry is equal keeps its connection, any other one ends when its calls have. */
  readonly update: (servers: ServerEntries) => void;
  readonly close: () => Promise<void>;
}

/** Makes a set of servers; none is started before it is needed. */
export function createUpstreamSet(
  servers: ServerEntries,
  keep: (name: string, entry: ServerEntry) => ReconnectingConnection,
): UpstreamSet {
  const leaving = new Set<ReconnectingConnection>();
  const toUpstream = (name: string, entry: ServerEntry): Upstream => ({
    entry,
    kept: keep(name, entry),
    guard: createCircuitBreaker(),
  });
  let upstreams = new Map(Object.entries(servers).map(([name, entry]) => [name, toUpstream(name, entry)] as const));

  async function end(kept: ReconnectingConnection): Promise<void> {
    leaving.add(kept);
    await kept.end();
    leaving.delete(kept);
  }

  return {
    get: (server) => upstreams.get(server),
    names: () => [...upstreams.keys()],
    update: (next) => {
      const before = upstreams;
      const isSame = (name: string, entry: ServerEntry): boolean => isDeepStrictEqual(before.get(name)?.entry, entry);
      upstreams = new Map(
        Object.entries(next).map(([name, entry]) => {
          const known = before.get(name);
          return [name, known !== undefined && isSame(name, entry) ? known : toUpstream(name, entry)] as const;
        }),
      );
      for (const [name, { kept }] of before) if (upstreams.get(name)?.kept !== kept) void end(kept);
    },
    close: async () => {
      await Promise.all([...[...upstreams.values()].map(({ kept }) => kept), ...leaving].map((kept) => kept.close()));
    },
  };
}
