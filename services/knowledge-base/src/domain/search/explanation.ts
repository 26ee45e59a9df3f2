import type { SearchResult } from '@contextloom/contracts';
import { cutSnippet, findMatches } from '@contextloom/retrieval';
import { type QueryTokens, toExpandedTerms } from '@contextloom/retrieval/ranking';
import type { Ranked } from '../ranking/ranking.ts';

/**
 * Explains a result's score, and cuts out its best passage. The scores of the two lists are those of the store: they are comparable
 * within one list alone, not between lists, searches, selections or stores.
 * @param limit how much of the content is read, in UTF-16 code units
 */
export function explain(
  { lists: { words, vector }, fit, rerank, boosts, score }: Ranked,
  content: string,
  query: QueryTokens,
  limit: number,
): Pick<SearchResult, 'explain' | 'snippet'> {
  const matches = findMatches(content, { ...query, terms: toExpandedTerms(query) }, { limit });
  const { text, ranges } = cutSnippet(content, matches);
  const terms = [...new Set(matches.map(({ token }) => token))];
  const { own, fromNeighbours, form, recency, value } = fit;
  return {
    explain: {
      words: words === undefined ? null : { ...words, terms },
      vector: vector ?? null,
      fused: value,
      ...(fromNeighbours > 0 && { neighbours: { own, given: fromNeighbours } }),
      ...(form !== 1 && { form }),
      ...(recency !== 1 && { recency }),
      ...(rerank !== undefined && { rerank }),
      boosts,
      score,
    },
    snippet: { text, ranges: ranges.map((range) => [...range]) },
  };
}
