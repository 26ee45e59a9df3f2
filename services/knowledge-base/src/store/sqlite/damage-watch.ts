import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextloomError } from '@contextloom/contracts';
import { isDamagedError } from '@contextloom/sqlite';
import type { DocumentStore } from '../../domain/store.ts';

/** How long a check waits for the check of the file, in milliseconds; a later result is reported by the next check. */
const WAIT_MS = 1_000;

/** What is watched. */
export interface DamageWatchOptions {
  readonly store: DocumentStore;
  /** Looks through the whole file for damage; runs once, with the first check of the store. */
  readonly checkFile: () => Promise<void>;
  readonly waitMs?: number;
}

/**
 * Builds a store that refuses every call after the first that met damage: its data cannot be trusted any more.
 */
export function createDamageWatch({ store, checkFile, waitMs = WAIT_MS }: DamageWatchOptions): DocumentStore {
  let damage: ContextloomError | undefined;
  let checking: Promise<void> | undefined;
  const checkFileOnce = (): Promise<void> => {
    checking ??= watch(checkFile).catch((error: unknown) => {
      checking = undefined; // The next check tries again.
      throw error;
    });
    return checking;
  };
  async function watch<T>(work: () => Promise<T>): Promise<T> {
    if (damage !== undefined) throw damage;
    try {
      return await work();
    } catch (error) {
      if (isDamagedError(error)) damage = error;
      throw error;
    }
  }
  async function* scan(batch: number) {
    const batches = store.scan(batch)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await watch(() => batches.next());
      if (done === true) return;
      yield value;
    }
  }
  const { embedWaiting, eraseRemoved } = store;
  return {
    kind: store.kind,
    check: async () => {
      await watch(() => store.check());
      await Promise.race([checkFileOnce(), sleep(waitMs, undefined, { ref: false })]);
    },
    put: (...args) => watch(() => store.put(...args)),
    restore: (...args) => watch(() => store.restore(...args)),
    replace: (...args) => watch(() => store.replace(...args)),
    remove: (...args) => watch(() => store.remove(...args)),
    read: (...args) => watch(() => store.read(...args)),
    find: (...args) => watch(() => store.find(...args)),
    list: (...args) => watch(() => store.list(...args)),
    stats: (...args) => watch(() => store.stats(...args)),
    owners: () => watch(() => store.owners()),
    scan,
    forget: (...args) => watch(() => store.forget(...args)),
    rebuild: (...args) => watch(() => store.rebuild(...args)),
    ...(embedWaiting && { embedWaiting: (embed) => watch(() => embedWaiting(embed)) }),
    ...(eraseRemoved && { eraseRemoved: () => watch(eraseRemoved) }),
    upgradeProgress: () => store.upgradeProgress(),
    indexState: () => watch(() => store.indexState()),
    flush: () => watch(() => store.flush()),
    close: async () => {
      await Promise.allSettled([checking]);
      await store.close();
    },
  };
}
