import type { HybridHit, HybridHits } from './search.ts';

/** How much words and vectors count in a common score. */
export interface FusionWeights {
  readonly words: number;
  readonly vector: number;
}

/** A row with its common score, in [0, the sum of the weights]. */
export interface FusedHit extends HybridHit {
  readonly score: number;
}

/**
 * One list of hits, best first, ties by key: the share that a row's BM25 score has of the best one's and its cosine, by their
 * weights. Both scores of each hit are exact, whichever list it came from.
 */
export function fuseHits({ byWords, byVector }: HybridHits, weights: FusionWeights): readonly FusedHit[] {
  const hits = new Map([...byWords, ...byVector].map((hit) => [hit.row, hit]));
  const best = byWords[0]?.words ?? 1;
  return [...hits.values()]
    .map((hit) => ({ ...hit, score: (weights.words * hit.words) / best + weights.vector * hit.vector }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
}
