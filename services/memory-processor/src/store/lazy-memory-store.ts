import { createLazy } from '@contextloom/runtime/scheduling';
import type { MemoryStore } from '../domain/memory-store.ts';

/** A memory store that is opened when it is first needed: extracting without saving needs none. */
export function createLazyMemoryStore(open: () => Promise<MemoryStore>): MemoryStore {
  const { get, current } = createLazy(open);
  return {
    save: async (memories) => (await get()).save(memories),
    listRecorded: async (userId, transcript) => (await get()).listRecorded(userId, transcript),
    listOpenings: async (userId, head) => (await get()).listOpenings(userId, head),
    findNear: async (userId, text, limit) => (await get()).findNear(userId, text, limit),
    listFacts: async (userId) => (await get()).listFacts(userId),
    listDecisions: async (userId) => (await get()).listDecisions(userId),
    listImported: async (userId, importId) => (await get()).listImported(userId, importId),
    listRetractions: async (userId) => (await get()).listRetractions(userId),
    get: async (userId, id) => (await get()).get(userId, id),
    forget: async (userId, ids) => (await get()).forget(userId, ids),
    close: async () => (await current())?.close(),
  };
}
