import { isContextloomError } from '@contextloom/contracts';
import type { EmbedderIdentity } from '../store/store.ts';

/** What the domain needs of an embedder: texts to vectors of one space, in order. */
export interface TextEmbedder {
  readonly identity: EmbedderIdentity;
  readonly embed: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;
}

/** How long a search waits for the vector of its query, in milliseconds: readers have deadlines of a few seconds. */
const QUERY_DEADLINE_MS = 2_000;
/** How long an embedder that failed a search is left alone by those that follow, in milliseconds. */
const PAUSE_MS = 15_000;
const PASSING: readonly string[] = ['unavailable', 'timeout', 'rate_limited', 'unauthorized'];

/** Makes the vector of a query; undefined when there is none to be had in time. */
export type EmbedQuery = (query: string) => Promise<Float32Array | undefined>;

function isPassing(error: unknown): boolean {
  return isContextloomError(error) ? PASSING.includes(error.code) : Object(error).name === 'TimeoutError';
}

/**
 * Builds the function that embeds queries. While the embedder is out of reach or too slow there are no vectors: words
 * alone find most things, and a search without an answer finds none.
 */
export function createEmbedQuery(
  embedder: TextEmbedder,
  { clock, onFailure }: { readonly clock: () => Date; readonly onFailure: (error: unknown) => void },
): EmbedQuery {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async (query) => {
    if (clock().getTime() < pausedUntil) return undefined;
    try {
      const [vector] = await embedder.embed([query], AbortSignal.timeout(QUERY_DEADLINE_MS));
      return vector;
    } catch (error) {
      if (!isPassing(error)) throw error;
      pausedUntil = clock().getTime() + PAUSE_MS;
      onFailure(error);
      return undefined;
    }
  };
}

/** Pairs each item with the vector of its text. A vector that the embedder left out is empty, which a store refuses. */
export async function withVectors<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  embedder: TextEmbedder,
): Promise<readonly { readonly item: T; readonly vector: Float32Array }[]> {
  const vectors = await embedder.embed(items.map(textOf));
  return items.map((item, at) => ({ item, vector: vectors[at] ?? new Float32Array() }));
}
