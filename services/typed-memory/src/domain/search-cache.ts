import type { FoundMemory } from './memory.ts';
import type { MemoryQuery } from './typed-memory-store.ts';

/** Searches a store, from memory where nothing has changed since the same search. */
export interface SearchCache {
  readonly search: (userId: string, query: MemoryQuery, signal?: AbortSignal) => Promise<readonly FoundMemory[]>;
  /** Forgets what is known of a user, whose memories have changed. */
  readonly forget: (userId: string) => void;
}
