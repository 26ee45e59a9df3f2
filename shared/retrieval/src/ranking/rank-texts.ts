import { tokenize } from '../text/words/tokenize.ts';
import { scoreBm25 } from './bm25.ts';
import { combineScores } from './combine-scores.ts';
import { measureRelevance, type Passage } from './relevance.ts';
import { type RelevanceScale, wordsAlone } from './relevance-scale.ts';
import type { SearchQuery } from './search-query.ts';
import { MAX_COMPARED, shareRelevance } from './share-relevance.ts';

/** A text that a store found. */
export interface FoundText extends Passage {
  /** Its score by {@link createBm25} among all that was searched; 0 or absent where it has no word of the query. */
  readonly words?: number | undefined;
}

/** A text that fits, and how relevant it is: about the share of such hits that answer their question, in every search of every store. */
export interface RankedText {
  readonly id: string;
  readonly relevance: number;
}

/** What fits, best first, and how relevant the best of all texts was, whether it fits or not. */
export interface RankedTexts {
  readonly hits: readonly RankedText[];
  readonly nearest: number;
}

/** How texts are ranked. */
export interface RankTextsOptions {
  /** What cosines tell; they are those of words when absent. */
  readonly scale?: RelevanceScale | undefined;
  /** Less relevant texts are cut. */
  readonly minScore?: number | undefined;
}

/**
 * Puts what a store found in the order that every store has: by words and vectors on one scale. Relevance begins with how
 * much of the question the first of them tell, which is shared out among them. Of those that fit alike, the one that comes first in the
 * list is first.
 */
export function rankTexts(
  { soughtTokens, isEmpty }: Pick<SearchQuery, 'soughtTokens' | 'isEmpty'>,
  texts: readonly FoundText[],
  { scale = wordsAlone, minScore = 0 }: RankTextsOptions = {},
): RankedTexts {
  const scores = combineScores(
    texts.map(({ id, words, cosine, text }) => ({ id, words, cosine, length: text.length })),
    scale,
  );
  const scoreOf = ({ id }: FoundText): number => scores.get(id) ?? 0;
  const order = texts.filter((text) => scoreOf(text) > 0).sort((a, b) => scoreOf(b) - scoreOf(a));
  const compared = isEmpty ? [] : [...measureRelevance(soughtTokens, order.slice(0, MAX_COMPARED), scale).values()];
  const relevanceOf = shareRelevance(order.map(scoreOf), Math.max(0, ...compared));
  const hits = order.map((text) => ({ id: text.id, relevance: relevanceOf(scoreOf(text)) }));
  return { hits: hits.filter(({ relevance }) => relevance >= minScore), nearest: hits[0]?.relevance ?? 0 };
}

/** Adds to texts of which no store has the scores what words make of them, among each other. */
export function scoreWords<T extends Passage>(
  { tokens }: Pick<SearchQuery, 'tokens'>,
  texts: readonly T[],
): readonly (T & Required<Pick<FoundText, 'words'>>)[] {
  const scored = scoreBm25(
    texts.map(({ text }) => tokenize(text, { keepStopWords: true })),
    tokens,
    texts.length,
  );
  return texts.map((text, at) => ({ ...text, words: scored[at]?.score ?? 0 }));
}
