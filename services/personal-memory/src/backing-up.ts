import type { Log } from '@contextloom/mcp-kit';
import type { BackUpPlan, MemoryStore } from './domain/store.ts';

/** How backups are made by themselves. */
export interface BackingUpOptions extends Omit<BackUpPlan, 'now' | 'minAgeMs'> {
  readonly store: Pick<MemoryStore, 'backUp'>;
  readonly intervalMs: number;
  readonly clock: () => Date;
  readonly log: Log;
}

/** How often it is asked whether a copy is due; most sessions are shorter than the interval between copies. */
const LOOK_MS = 30_000;

/** Begins to make backups; they never keep a process alive. The answer ends it, after the copy that is under way. */
export function startBackingUp({ store, intervalMs, clock, log, ...plan }: BackingUpOptions): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const copies = await store.backUp({ ...plan, now: clock(), minAgeMs: intervalMs });
      for (const copy of copies) log.info({ copy }, 'backed up');
    } catch (cause) {
      log.error({ cause }, 'the backup failed; it is tried again');
    }
  };
  const timer = setInterval(
    () => {
      running = running.then(look);
    },
    Math.min(LOOK_MS, intervalMs),
  );
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
