import { type JsonObject, MEMORY_TAG, type MemoryType } from '@contextloom/contracts';
import { type FoundMemories, parseSearchAnswer, parseTotal } from '../../domain/memories/memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { createFailure, type Failure, toFailure, toUnreadable } from '../asking/failure.ts';

/** The knowledge base's key in the configuration. */
export const KNOWLEDGE_BASE = 'knowledge-base';

/** Which memories. */
export interface MemoryRequest {
  readonly userId: string;
  readonly query: string;
  readonly topK: number;
  readonly memoryType?: MemoryType | undefined;
}

/** A user's memories, best first, or the reason why they are missing. */
export type MemorySearch = ({ readonly kind: 'ok' } & FoundMemories) | Failure;

function toFilter({ userId, memoryType }: MemoryRequest): JsonObject {
  return {
    tags: [MEMORY_TAG],
    metadata_filter: { user_id: userId, ...(memoryType !== undefined && { memory_type: memoryType }) },
  };
}

/** Searches the knowledge base for a user's memories; whatever it does, the answer comes within the deadline. */
export async function searchMemories(
  request: MemoryRequest,
  { upstreams, deadlines: { sourceMs }, log }: AggregatorDeps,
  signal: AbortSignal,
): Promise<MemorySearch> {
  const server = KNOWLEDGE_BASE;
  if (!upstreams.has(server)) return createFailure('is not in the configuration');
  const args = { query: request.query, ...toFilter(request), top_k: request.topK };
  const result = await upstreams.call(server, 'search_documents', args, { timeoutMs: sourceMs, signal });
  if (result.kind !== 'ok') return toFailure(result, { server, log });
  const reading = parseSearchAnswer(result.value, request.userId);
  if (reading.kind === 'invalid') return toUnreadable(result.value.text, { server, log });
  if (reading.foreign > 0)
    log.warn({ server, foreign: reading.foreign }, "results that are not the user's were dropped");
  if (reading.foreign > 0 && reading.memories.length === 0) {
    return createFailure("returned only documents that are not marked as this user's");
  }
  const isListing = request.query.trim() === '';
  // Some knowledge bases fill up an answer with what does not fit at all; a listing has no scores to go by.
  const memories = reading.memories.filter(({ score }) => isListing || score !== 0);
  return { kind: 'ok', memories, confidence: reading.confidence };
}

/** Counts a user's memories; `undefined` when the knowledge base cannot tell. */
export async function countMemories(
  request: MemoryRequest,
  { upstreams, deadlines: { sourceMs } }: AggregatorDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  const args = { ...toFilter(request), limit: 1 };
  const result = await upstreams.call(KNOWLEDGE_BASE, 'list_documents', args, { timeoutMs: sourceMs, signal });
  return result.kind === 'ok' ? parseTotal(result.value) : undefined;
}
