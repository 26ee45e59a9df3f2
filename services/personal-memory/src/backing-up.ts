import type { Log } from '@contextloom/runtime';
import type { BackUpPlan, MemoryStore } from './domain/store.ts';

/** How automatic backups are made. */
export interface BackingUpOptions extends Omit<BackUpPlan, 'now' | 'minAgeMs'> {
  readonly store: Pick<MemoryStore, 'backUp'>;
  readonly intervalMs: number;
  readonly clock: () => Date;
  readonly log: Log;
}

/** How often to check whether a copy is due: most sessions are shorter than the interval between copies. */
const LOOK_MS = 30_000;

/** Starts automatic backups, which never keep the process alive. The function returned stops them after the copy in progress. */
export function startBackingUp({ store, intervalMs, clock, log, ...plan }: BackingUpOptions): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const copies = await store.backUp({ ...plan, now: clock(), minAgeMs: intervalMs });
      for (const copy of copies) log.info({ copy }, 'backed up');
    } catch (cause) {
      log.error({ cause }, 'the backup failed; it will be tried again');
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
