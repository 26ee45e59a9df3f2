import type { KnowledgeClient } from '@contextloom/contracts';
import { createLazy } from '@contextloom/runtime/scheduling';

/** A knowledge base that is opened when it is first needed; after a failure the next call tries again. */
export function createLazyKnowledgeClient(open: () => Promise<KnowledgeClient>): KnowledgeClient {
  const { get, current } = createLazy(open);
  return {
    add: async (documents) => (await get()).add(documents),
    search: async (request) => (await get()).search(request),
    find: async (request) => (await get()).find(request),
    list: async (request) => (await get()).list(request),
    get: async (address) => (await get()).get(address),
    update: async (address, patch) => (await get()).update(address, patch),
    delete: async (address) => (await get()).delete(address),
    stats: async (userId) => (await get()).stats(userId),
    close: async () => (await current())?.close(),
  };
}
