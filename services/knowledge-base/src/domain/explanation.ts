import type { SearchResult } from '@contextloom/contracts';
import { cutSnippet, findMatches, type Tokens } from '@contextloom/retrieval';
import type { Ranked } from './ranking.ts';

/**
 * Tells how a result's score came about, and cuts out its best passage. Places and not the raw scores of the two lists: those
 * are of no common scale between the stores, nor between small and large selections of one, and nothing is made of them.
 * @param limit how much of the content is looked at, in UTF-16 code units
 */
export function explain(
  { ranks, fused, rerank, boosts, score }: Ranked,
  content: string,
  query: Tokens,
  limit: number,
): Pick<SearchResult, 'explain' | 'snippet'> {
  const matches = findMatches(content, query, { limit });
  const { text, ranges } = cutSnippet(content, matches);
  const terms = [...new Set(matches.map(({ token }) => token))];
  return {
    explain: {
      words: ranks.words === undefined ? null : { rank: ranks.words, terms },
      vector: ranks.vector === undefined ? null : { rank: ranks.vector },
      fused,
      ...(rerank !== undefined && { rerank }),
      boosts,
      score,
    },
    snippet: { text, ranges: ranges.map((range) => [...range]) },
  };
}
