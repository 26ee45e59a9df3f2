import type { Log } from '@contextloom/runtime';
import type { Broadcast } from './broadcast.ts';
import { MAX_CLIENTS, putLast, takeLeastRecent } from './least-recent.ts';
import type { OpenClient } from './open-client.ts';

/** How long what a client without sessions has open is kept after its last request, in milliseconds. */
const IDLE_MS = 300_000;

/** A client without sessions, and the way to those who listen as it. */
export interface PooledClient {
  readonly opened: OpenClient;
  readonly broadcast: Broadcast;
}

/** What clients without sessions have open, by who they are and what they can do. */
export interface ClientPool {
  readonly take: (key: string, make: () => PooledClient) => PooledClient;
  /** Keeps one that was taken until the answer is called. */
  readonly hold: (key: string) => () => void;
  readonly all: () => readonly OpenClient[];
  readonly takeAll: () => readonly OpenClient[];
}

interface Kept {
  readonly client: PooledClient;
  readonly timer: NodeJS.Timeout;
  holds: number;
}

const isIdle = ({ holds, client }: Kept): boolean => holds === 0 && client.opened.isIdle();

/**
 * Keeps what clients without sessions have open, and closes it when they have requested nothing for a while; where there are
 * `max` of them, the idle one that was unused for longest makes way.
 */
export function createClientPool(log: Log, max = MAX_CLIENTS): ClientPool {
  const kept = new Map<string, Kept>();
  const close = ({ client, timer }: Kept): void => {
    clearTimeout(timer);
    client.opened.close().catch((cause: unknown) => log.warn({ cause }, 'idle connections could not be closed'));
  };
  const expire = (key: string): void => {
    const known = kept.get(key);
    if (known === undefined) return;
    if (!isIdle(known)) return void known.timer.refresh();
    kept.delete(key);
    close(known);
  };
  return {
    all: () => [...kept.values()].map(({ client }) => client.opened),
    takeAll: (): readonly OpenClient[] => {
      const all = [...kept.values()];
      kept.clear();
      for (const { timer } of all) clearTimeout(timer);
      return all.map(({ client }) => client.opened);
    },
    take: (key, make) => {
      const known = kept.get(key);
      if (known !== undefined) {
        known.timer.refresh();
        putLast(kept, key, known);
        return known.client;
      }
      const evicted = takeLeastRecent(kept, isIdle, max);
      if (evicted !== undefined) close(evicted);
      const client = make();
      kept.set(key, { client, timer: setTimeout(() => expire(key), IDLE_MS).unref(), holds: 0 });
      return client;
    },
    hold: (key) => {
      const held = kept.get(key);
      if (held === undefined) return () => undefined;
      held.holds += 1;
      return () => {
        held.holds -= 1;
        held.timer.refresh();
      };
    },
  };
}
