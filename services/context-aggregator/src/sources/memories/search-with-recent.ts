import { fuseRanks } from '@contextloom/retrieval/ranking';
import type { FoundMemory } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { type MemoryRequest, type MemorySearch, searchMemories } from './memory-source.ts';

const toKey = ({ id, content }: FoundMemory): string => (id === '' ? content : id);

/** Fuses two searches by rank: each memory once, with the better of its scores. */
function merge(first: readonly FoundMemory[], second: readonly FoundMemory[]): readonly FoundMemory[] {
  const known = new Map<string, FoundMemory>();
  for (const memory of [...first, ...second]) {
    const before = known.get(toKey(memory));
    if (before === undefined || (memory.score ?? 0) > (before.score ?? 0)) known.set(toKey(memory), memory);
  }
  const ranks = fuseRanks([{ ids: first.map(toKey) }, { ids: second.map(toKey) }]);
  return [...ranks.keys()].flatMap((key) => known.get(key) ?? []);
}

/**
 * Searches for a question alone and for what it follows on, at the same time: "and for Ros?" says nothing of what, and a
 * question of its own must not drown in what was said before.
 */
export async function searchWithRecent(
  { asked, ...request }: MemoryRequest & { readonly asked: string | undefined },
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<MemorySearch> {
  if (asked === undefined || asked === request.query) return searchMemories(request, deps, signal);
  const [alone, together] = await Promise.all([
    searchMemories(request, deps, signal),
    searchMemories({ ...request, query: asked }, deps, signal),
  ]);
  if (alone.kind === 'failed' || together.kind === 'failed') return alone.kind === 'failed' ? together : alone;
  return { kind: 'ok', memories: merge(alone.memories, together.memories).slice(0, request.topK) };
}
