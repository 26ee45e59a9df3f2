import { LRUCache } from 'lru-cache';
import type { FoundMemory } from '../domain/memory.ts';
import type { SearchCache } from '../domain/search-cache.ts';
import type { MemoryQuery, TypedMemoryStore } from '../domain/typed-memory-store.ts';

/** What the cache is built from. */
export interface SearchCacheOptions {
  readonly store: Pick<TypedMemoryStore, 'search' | 'mark'>;
  readonly now: () => number;
  readonly maxSearches?: number;
}

interface Entry {
  readonly found: readonly FoundMemory[];
  readonly at: number;
  readonly mark: string;
}

/**
 * An edit of a document in place, by a program that knows nothing of us, shows in no mark, nor does one by a server whose clock is
 * behind ours: it is seen after this time.
 */
const MAX_AGE_MS = 10_000;

/**
 * Builds the cache. A write through this process empties it for its user; one by another process changes the store's mark,
 * which is compared before every answer.
 */
export function createSearchCache({ store, now, maxSearches = 500 }: SearchCacheOptions): SearchCache {
  const entries = new LRUCache<string, Entry>({ max: maxSearches });
  const generations = new LRUCache<string, number>({ max: 10_000 });
  const generationOf = (userId: string): number => generations.get(userId) ?? 0;
  const searched = new LRUCache<string, true>({ max: maxSearches });
  const toKey = (userId: string, { query, types, limit, minScore }: MemoryQuery): string =>
    JSON.stringify([userId, generationOf(userId), query, types, limit, minScore]);

  async function load(
    userId: string,
    query: MemoryQuery,
    key: string,
    signal?: AbortSignal,
  ): Promise<readonly FoundMemory[]> {
    const [at, generation] = [now(), generationOf(userId)];
    // The mark is taken first: what is written while the search runs makes the entry stale, never fresh.
    const mark = await store.mark(userId, at);
    const found = await store.search(userId, query, signal);
    if (mark !== undefined && generationOf(userId) === generation) entries.set(key, { found, at, mark });
    return found;
  }

  /** A first request may be the last: it is not marked. */
  async function start(userId: string, query: MemoryQuery, key: string, signal?: AbortSignal) {
    if (searched.has(key)) return load(userId, query, key, signal);
    searched.set(key, true);
    return store.search(userId, query, signal);
  }

  return {
    search: async (userId, query, signal) => {
      const key = toKey(userId, query);
      const entry = entries.get(key);
      if (entry === undefined) return start(userId, query, key, signal);
      if (now() - entry.at > MAX_AGE_MS) return load(userId, query, key, signal);
      if ((await store.mark(userId, entry.at)) !== entry.mark) return load(userId, query, key, signal);
      // A write that was acknowledged meanwhile must be visible.
      return key === toKey(userId, query) ? entry.found : load(userId, query, toKey(userId, query), signal);
    },
    forget: (userId) => void generations.set(userId, generationOf(userId) + 1),
  };
}
