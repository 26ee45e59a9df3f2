import type { AggregatorDeps } from '../deps.ts';
import { chooseMemories, type ToldMemory } from '../domain/choose-memories.ts';
import type { Failure } from './failure.ts';
import { type MemoryRequest, searchMemories } from './memory-source.ts';

/** How many times as many memories are searched when some of the first are facts, or repeat others. */
const WIDER = 8;
/** Most memories of one search. */
const MAX_TOP_K = 100;

/** What a prompt tells of a user, or why there is nothing. */
export type Recall = { readonly kind: 'ok'; readonly told: readonly ToldMemory[] } | Failure;

/**
 * The memories of a prompt: as many as were asked for, none for which another is told. When there are some of these, more are
 * searched to choose from, if they are to be had within the deadline of the first search.
 */
export async function recallMemories(
  request: MemoryRequest,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<Recall> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(deps.deadlines.sourceMs)]);
  const first = await searchMemories(request, deps, signal);
  if (first.kind === 'failed') return first;
  const told = chooseMemories(first.memories, request);
  const isPlain = told.length === first.memories.length && first.memories.every(({ metadata }) => !metadata['episode']);
  if (isPlain || first.memories.length < request.topK || request.topK >= MAX_TOP_K) return { kind: 'ok', told };
  const wider = { ...request, topK: Math.min(MAX_TOP_K, request.topK * WIDER) };
  const second = await searchMemories(wider, deps, inTime);
  return { kind: 'ok', told: second.kind === 'failed' ? told : chooseMemories(second.memories, request) };
}
