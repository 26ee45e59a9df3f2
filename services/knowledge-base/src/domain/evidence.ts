import { findMatches } from '@contextloom/retrieval';
import { type QueryTokens, toExpandedTerms } from '@contextloom/retrieval/ranking';

/** What a single character of the query says for a text that holds it, next to a word or a pair of characters. */
const CHARACTER = 0.3;
/** So many words of a query are enough to know that a text is about it: people write whole paragraphs. */
const ENOUGH = 3;

/**
 * How much of what a query looks for stands in the best of some texts, in [0,1]. The scores of a search only compare its
 * results with each other: the first of them has one near 1 even where nothing fits.
 * @param limit how much of each text is looked at, in UTF-16 code units
 */
export function toEvidence(texts: readonly string[], query: QueryTokens, limit: number): number {
  const weights = new Map<string, number>([
    ...query.unigrams.map((token) => [token, CHARACTER] as const),
    ...(query.expansions ?? []).map(({ term, weight }) => [term, weight] as const),
    ...query.terms.map((token) => [token, 1] as const),
  ]);
  const wanted = { ...query, terms: toExpandedTerms(query) };
  const found = texts.map((text) => {
    const tokens = new Set(findMatches(text, wanted, { limit }).map(({ token }) => token));
    return [...tokens].reduce((sum, token) => sum + (weights.get(token) ?? 0), 0);
  });
  return Math.min(1, Math.max(0, ...found) / Math.max(1, Math.min(ENOUGH, query.terms.length)));
}
