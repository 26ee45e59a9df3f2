import { fuseRanks, fuseScores } from '@contextloom/retrieval/ranking';
import type { EmbedderIdentity, Hit } from '../store.ts';

/** What found a hit; `listing` is the order of a search without a query. */
export type Retriever = 'words' | 'vector' | 'listing';

/** The hits of one retriever, best first, and how much they count. */
export interface Ranking {
  readonly retriever: Retriever;
  readonly hits: readonly Hit[];
  readonly weight: number;
}

/**
 * How rankings are fused. By `ranks`, where the scores of two retrievers have no common scale. By their
 * `scores` with the lexical embedder: its vectors are made of the same words, so that their cosine, at most 1, rounds off what
 * the idf of the words says. On 997 questions about conversations, turns among the first ten: .641 by ranks, .651 by scores.
 */
export type Fusion = 'ranks' | 'scores';

/** The fusion that suits an embedder. */
export function fusionOf({ provider }: EmbedderIdentity): Fusion {
  return provider === 'lexical' ? 'scores' : 'ranks';
}

/**
 * The relevance of each candidate: of ranks in [0,1], of scores on a scale of its own, 0 or more.
 * @param k the constant of reciprocal rank fusion: the smaller, the more the first places are worth
 */
export function fuse(rankings: readonly Ranking[], fusion: Fusion, k = 60): ReadonlyMap<string, number> {
  const lists = rankings.map(({ hits, weight }) => ({
    hits: hits.map(({ candidate: { id }, score }) => ({ id, score })),
    weight,
  }));
  if (fusion === 'scores') return fuseScores(lists);
  return fuseRanks(
    lists.map(({ hits, weight }) => ({ ids: hits.map(({ id }) => id), weight })),
    { k },
  );
}
