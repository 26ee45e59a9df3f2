import type { Limits, Reach } from '../project.ts';
import type { MemoryStore } from '../store.ts';

/** Whose memories end, and by which clock. */
export interface EndsOptions {
  readonly ownerId: string;
  readonly clock: () => Date;
}

/** Erases what has ended of an owner; a receipt of each memory stays, without words. @throws ContextloomError `timeout` once the signal is aborted */
export async function clearEnded(
  store: Pick<MemoryStore, 'hasEnded' | 'forgetEnded'>,
  { ownerId, clock }: EndsOptions,
  { signal }: Pick<Limits, 'signal'> = {},
): Promise<void> {
  const now = clock().getTime();
  if (await store.hasEnded({ ownerId, signal }, now)) await store.forgetEnded(ownerId, now);
}

/** A store without what has ended of an owner: whoever comes first afterwards erases it, before anything is read or written. */
export function withoutEnded(store: MemoryStore, options: EndsOptions): MemoryStore {
  const guard =
    <Given extends readonly [Reach, ...unknown[]], T>(work: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      await clearEnded(store, options, given[0]);
      return work(...given);
    };
  return {
    ...store,
    commit: async (change) => {
      await clearEnded(store, options);
      return store.commit(change);
    },
    remove: guard(store.remove),
    findByVector: guard(store.findByVector),
    findByWords: guard(store.findByWords),
    readPassages: guard(store.readPassages),
    get: guard(store.get),
    findIds: guard(store.findIds),
    timeline: guard(store.timeline),
    projects: guard(store.projects),
    counts: guard(store.counts),
    versions: guard(store.versions),
    arbitrations: guard(store.arbitrations),
    skippedText: guard(store.skippedText),
    rollback: guard(store.rollback),
    link: guard(store.link),
    unlink: guard(store.unlink),
    linked: guard(store.linked),
    similar: guard(store.similar),
    importUnit: async (ownerId, unit) => {
      await clearEnded(store, options);
      return store.importUnit(ownerId, unit);
    },
    exportLines: async function* (selection) {
      await clearEnded(store, options, selection);
      yield* store.exportLines(selection);
    },
  };
}
