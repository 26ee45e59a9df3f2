import type { Tokens } from '@contextloom/retrieval';
import { toTokens } from './context.ts';
import { round } from './numbers.ts';

/** Whether any of the keywords has to be there, or all. */
export const matchModes = ['any', 'all'] as const;
/** One of {@link matchModes}. */
export type MatchMode = (typeof matchModes)[number];

/** A text that has keywords. */
export interface KeywordMatch {
  readonly matched: readonly string[];
  /** The share of the keywords that are there. */
  readonly share: number;
}

/** Says which keywords a text has; undefined when it does not match. */
export type MatchKeywords = (text: string) => KeywordMatch | undefined;

/**
 * Builds the test of texts for keywords. A keyword is there when all its words are, in any form that they come in: `walk`
 * finds `walks`, 旺财 finds 小旺财. None of its characters has a special meaning.
 */
export function createKeywordTest(keywords: readonly string[], mode: MatchMode): MatchKeywords {
  const wanted = [...new Set(keywords)].map((keyword) => ({ keyword, tokens: toTokens(keyword) }));
  return (text) => {
    const { terms, unigrams } = toTokens(text);
    const there = new Set([...terms, ...unigrams]);
    const has = ({ terms: own, unigrams: single }: Tokens): boolean =>
      own.length + single.length > 0 && [...own, ...single].every((token) => there.has(token));
    const matched = wanted.flatMap(({ keyword, tokens }) => (has(tokens) ? [keyword] : []));
    const isMatch = mode === 'all' ? matched.length === wanted.length : matched.length > 0;
    return isMatch ? { matched, share: round(matched.length / wanted.length, 3) } : undefined;
  };
}
