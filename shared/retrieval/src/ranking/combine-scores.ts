import type { RelevanceScale } from './relevance-scale.ts';

/**
 * How much nearness counts next to words: as much with a model's vectors; hardly with vectors that are made of the same words, which
 * find what is misspelled. The table of docs/search.md has what each is worth.
 */
const NEARNESS = { model: 0.5, words: 0.1 } as const;

const toBest = (scores: ReadonlyMap<string, number>): number => {
  let best = 0;
  for (const score of scores.values()) best = Math.max(best, score);
  return best;
};

/**
 * The score of each text, in [0, 1], by how well its words and its vector fit: each as a share of the best one's, averaged. What one of
 * the two lacks gets nothing from it.
 * @param words scores by words, of 0 or more
 * @param cosines cosines to the question; empty where there are no vectors
 */
export function combineScores(
  words: ReadonlyMap<string, number>,
  cosines: ReadonlyMap<string, number>,
  { cosine: scale }: Pick<RelevanceScale, 'cosine'>,
): ReadonlyMap<string, number> {
  const none = scale?.none ?? 0;
  const share = cosines.size === 0 ? 0 : scale === undefined ? NEARNESS.words : NEARNESS.model;
  const bestWords = Math.max(toBest(words), Number.MIN_VALUE);
  const bestNearness = Math.max(toBest(cosines) - none, Number.MIN_VALUE);
  const toScore = (id: string): number => {
    const near = Math.max(0, (cosines.get(id) ?? 0) - none) / bestNearness;
    return ((1 - share) * (words.get(id) ?? 0)) / bestWords + share * near;
  };
  return new Map([...words.keys(), ...cosines.keys()].map((id) => [id, toScore(id)]));
}
