import type { FoundMemory } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { type MemoryRequest, type MemorySearch, searchMemories } from './memory-source.ts';

const toKey = ({ id, content }: FoundMemory): string => (id === '' ? content : id);

/** What a place in a list counts, from 0: two questions have no common score, and what both find comes first. */
const toShare = (place: number): number => 1 / (61 + place);

/** Joins two searches by places: each memory once, with the better of its scores. */
function merge(first: readonly FoundMemory[], second: readonly FoundMemory[]): readonly FoundMemory[] {
  const merged = new Map<string, { readonly memory: FoundMemory; readonly share: number }>();
  for (const list of [first, second]) {
    for (const [place, memory] of list.entries()) {
      const known = merged.get(toKey(memory));
      const isBetter = known === undefined || (memory.score ?? 0) > (known.memory.score ?? 0);
      const share = (known?.share ?? 0) + toShare(place);
      merged.set(toKey(memory), { memory: isBetter ? memory : known.memory, share });
    }
  }
  return [...merged.values()].sort((a, b) => b.share - a.share).map(({ memory }) => memory);
}

/**
 * Searches for a question alone and for what it follows on, at the same time: "and for Ros?" says nothing of what, and a
 * question of its own must not drown in what was said before.
 */
export async function searchWithRecent(
  { searchQuery, ...request }: MemoryRequest & { readonly searchQuery: string | undefined },
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<MemorySearch> {
  if (searchQuery === undefined || searchQuery === request.query) return searchMemories(request, deps, signal);
  const [alone, together] = await Promise.all([
    searchMemories(request, deps, signal),
    searchMemories({ ...request, query: searchQuery }, deps, signal),
  ]);
  if (alone.kind === 'failed' || together.kind === 'failed') return alone.kind === 'failed' ? together : alone;
  const memories = merge(alone.memories, together.memories).slice(0, request.topK);
  const known = [alone.confidence, together.confidence].filter((confidence) => confidence !== undefined);
  return { kind: 'ok', memories, confidence: known.length === 2 ? Math.max(...known) : undefined };
}
