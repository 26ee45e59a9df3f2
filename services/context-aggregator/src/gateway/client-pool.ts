import type { Log } from '@contextloom/mcp-kit';
import type { OpenClient } from './open-client.ts';

/** How long what a client without sessions has open is kept after its last request, in milliseconds. */
const IDLE_MS = 300_000;

/** What clients without sessions have open, by who they are and what they can do. */
export interface ClientPool {
  readonly take: (key: string, make: () => OpenClient) => OpenClient;
  readonly all: () => readonly OpenClient[];
  readonly takeAll: () => readonly OpenClient[];
}

/** Keeps what clients without sessions have open, and closes it when they have asked for nothing for a while. */
export function createClientPool(log: Log): ClientPool {
  const kept = new Map<string, { readonly opened: OpenClient; timer: NodeJS.Timeout }>();
  const expire = (key: string): NodeJS.Timeout =>
    setTimeout(() => {
      const idle = kept.get(key);
      kept.delete(key);
      idle?.opened.close().catch((cause: unknown) => log.warn({ cause }, 'idle connections could not be closed'));
    }, IDLE_MS).unref();
  return {
    all: () => [...kept.values()].map(({ opened }) => opened),
    takeAll: (): readonly OpenClient[] => {
      const all = [...kept.values()];
      kept.clear();
      for (const { timer } of all) clearTimeout(timer);
      return all.map(({ opened }) => opened);
    },
    take: (key: string, make: () => OpenClient): OpenClient => {
      const known = kept.get(key);
      if (known !== undefined) {
        known.timer.refresh();
        return known.opened;
      }
      const opened = make();
      kept.set(key, { opened, timer: expire(key) });
      return opened;
    },
  };
}
