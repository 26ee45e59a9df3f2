import { ContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import { type CircuitBreaker, createCircuitBreaker, isOutage } from './circuit-breaker.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { Reranker } from './reranking/reranker.ts';

/** Makes the vector of a query; undefined when the embedder fails or is too slow. */
export type EmbedQuery = (query: string) => Promise<Float32Array | undefined>;

/** Makes the vectors of texts that are stored, in order; undefined while the embedder is out of reach. */
export type EmbedPassages = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

/** Scores texts for a query, higher is better; undefined when there are no scores to be had in time. */
export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>;

/** How a search waits for a model that it can do without. */
export interface SearchingOptions {
  /** How long a search waits, in milliseconds. */
  readonly deadlineMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Called for each failure; the search goes on without it. */
  readonly onFailure: (error: unknown) => void;
}

/** Readers have deadlines of a few seconds. */
const QUERY_DEADLINE_MS = 2_000;
/** Who stores something waits longer, but clients give up after 30 seconds. */
const PASSAGES_DEADLINE_MS = 20_000;
/** How long a model that failed a search is left alone by those that follow, in milliseconds. */
const COOLDOWN_MS = 15_000;

const createOneFailureBreaker = (now: (() => number) | undefined, counts = isOutage): CircuitBreaker =>
  createCircuitBreaker({ failures: 1, cooldownMs: COOLDOWN_MS, counts, ...(now !== undefined && { now }) });

/**
 * Builds the function that embeds queries. While the embedder is out of reach or too slow there are no vectors: words
 * alone find most things, and a search without an answer finds none. Other errors reject.
 */
export function createQueryEmbedder(
  { embed, embedQueries = embed }: Pick<Embedder, 'embed' | 'embedQueries'>,
  { deadlineMs = QUERY_DEADLINE_MS, now, onFailure }: SearchingOptions,
): EmbedQuery {
  const breaker = createOneFailureBreaker(now);
  return async (query) => {
    if (breaker.openReason() !== undefined) return undefined;
    try {
      const [vector] = await breaker.run(() => embedQueries([query], AbortSignal.timeout(deadlineMs)));
      return vector;
    } catch (error) {
      if (!isOutage(error)) throw error;
      onFailure(error);
      return undefined;
    }
  };
}

/**
 * Builds the function that embeds what is stored. While the embedder is out of reach or too slow there are no vectors: the texts are
 * stored and found by words, and embedded later. Other errors reject.
 */
export function createPassageEmbedder(
  { embed }: Pick<Embedder, 'embed'>,
  { deadlineMs = PASSAGES_DEADLINE_MS, now, onFailure }: SearchingOptions,
): EmbedPassages {
  const breaker = createOneFailureBreaker(now);
  return async (texts) => {
    if (breaker.openReason() !== undefined) return undefined;
    try {
      return await breaker.run(() => embed(texts, AbortSignal.timeout(deadlineMs)));
    } catch (error) {
      if (!isOutage(error)) throw error;
      onFailure(error);
      return undefined;
    }
  };
}

/**
 * Builds the function that has texts scored. Whatever goes wrong there are no scores, and for a while none are requested: a
 * search has an order without them.
 */
export function createSearchReranker(
  reranker: Pick<Reranker, 'rerank'>,
  { deadlineMs = 1_000, now, onFailure }: SearchingOptions,
): Rerank {
  const breaker = createOneFailureBreaker(now, () => true);
  const ask = async (query: string, texts: readonly string[]): Promise<readonly number[]> => {
    // A reranker may be slow to act on its signal, and the search does not wait for it.
    const scores = await withDeadline(
      reranker.rerank(query, texts, AbortSignal.timeout(deadlineMs)),
      deadlineMs,
      () => {
        return new ContextloomError('timeout', `the reranker did not answer within ${deadlineMs} ms`);
      },
    );
    if (scores.length === texts.length && scores.every(Number.isFinite)) return scores;
    throw new ContextloomError('unavailable', 'the reranker did not answer one number for each document');
  };
  return async (query, texts) => {
    if (texts.length < 2 || breaker.openReason() !== undefined) return undefined;
    try {
      return await breaker.run(() => ask(query, texts));
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };
}
