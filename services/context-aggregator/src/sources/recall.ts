import type { AggregatorDeps } from '../deps.ts';
import { withoutRepeats } from '../domain/told-memories.ts';
import { type MemoryRequest, type MemorySearch, searchMemories } from './memory-source.ts';

/** How many times as many memories are searched when some of the first repeat others. */
const WIDER = 3;
/** Most memories of one search. */
const MAX_TOP_K = 100;

/**
 * The memories of a prompt: as many as were asked for, equal texts once. Further memories take the place of repeats, if they
 * are to be had within the deadline of the first search.
 */
export async function recallMemories(
  request: MemoryRequest,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<MemorySearch> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(deps.deadlines.sourceMs)]);
  const first = await searchMemories(request, deps, signal);
  if (first.kind === 'failed') return first;
  const told = withoutRepeats(first.memories);
  const hasMore = first.memories.length >= request.topK && request.topK < MAX_TOP_K;
  if (told.length === first.memories.length || !hasMore) return { kind: 'ok', memories: told };
  const wider = { ...request, topK: Math.min(MAX_TOP_K, request.topK * WIDER) };
  const second = await searchMemories(wider, deps, inTime);
  const memories = second.kind === 'failed' ? told : withoutRepeats(second.memories).slice(0, request.topK);
  return { kind: 'ok', memories };
}
