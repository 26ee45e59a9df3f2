import { ContextloomError } from '@contextloom/contracts';
import { withDeadline } from './deadline.ts';

/** What the domain needs of a reranker: one score for each text, in order, higher is better. */
export interface TextReranker {
  readonly rerank: (query: string, documents: readonly string[], signal?: AbortSignal) => Promise<readonly number[]>;
}

/** A reranker, and how long a search waits for it, in milliseconds. */
export interface Reranking {
  readonly reranker: TextReranker;
  readonly deadlineMs: number;
}

/** How long a reranker that failed a search is left alone by those that follow, in milliseconds. */
const PAUSE_MS = 15_000;

/** Scores texts for a query; undefined when there are no scores to be had in time. */
export type Rerank = (query: string, texts: readonly string[]) => Promise<readonly number[] | undefined>;

async function askOnce({ reranker, deadlineMs }: Reranking, query: string, texts: readonly string[]) {
  const work = reranker.rerank(query, texts, AbortSignal.timeout(deadlineMs));
  // A reranker may be slow to heed its signal; the search is not to wait for that.
  const scores = await withDeadline(work, deadlineMs, () => {
    return new ContextloomError('timeout', `the reranker did not answer within ${deadlineMs} ms`);
  });
  if (scores.length === texts.length && scores.every(Number.isFinite)) return scores;
  throw new ContextloomError('unavailable', 'the reranker did not answer one number for each document');
}

/**
 * Builds the function that has texts scored. Whatever goes wrong there are no scores, and for a while none are asked for: a
 * search has an order without them.
 */
export function createRerank(
  reranking: Reranking,
  { clock, onFailure }: { readonly clock: () => Date; readonly onFailure: (error: unknown) => void },
): Rerank {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async (query, texts) => {
    if (texts.length < 2 || clock().getTime() < pausedUntil) return undefined;
    try {
      return await askOnce(reranking, query, texts);
    } catch (error) {
      pausedUntil = clock().getTime() + PAUSE_MS;
      onFailure(error);
      return undefined;
    }
  };
}
