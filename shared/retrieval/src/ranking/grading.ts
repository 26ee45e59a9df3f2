import { findMatches } from '../text/find-matches.ts';
import { cutSnippet } from '../text/snippet.ts';
import type { QueryTokens } from './query-tokens.ts';

/**
 * What a model gets of what a search finds, by how sure it is that one of the hits answers. Below `least` nothing; below `sure` so many tokens
 * at most, and in a list so many passages, since the answer is often among them and they cost little; from there on all that has room, as far as it has at least
 * the share `follows` of the best one's relevance. docs/panel.md has what other values do to prompts.
 */
export const GRADES = { least: 0.2, sure: 0.35, follows: 0.001, doubtful: { passages: 2, tokens: 120 } } as const;

/** How much of the hits of a search a model gets. */
export interface Grade {
  /** Hits of less relevance are cut. */
  readonly minRelevance: number;
  /** Most passages, and most tokens of all; absent where the best hit is sure. */
  readonly most?: { readonly passages: number; readonly tokens: number };
}

/** How sure it is that one of the hits of a search answers: relevance is shared out among them. */
export const toSureness = (relevances: readonly number[]): number =>
  relevances.reduce((sum, relevance) => sum + relevance, 0);

/**
 * Grades the hits of a search by their relevance, in [0, 1]; undefined where one of them tells none, so that nothing can be said. `confidence`
 * is how sure it is that anything answers, where those are only the first of what was found.
 */
export function gradeHits(relevances: readonly (number | undefined)[], confidence = 0): Grade | undefined {
  const known = relevances.flatMap((relevance) => relevance ?? []);
  if (known.length === 0 || known.length < relevances.length) return undefined;
  const best = known.reduce((most, relevance) => Math.max(most, relevance), 0);
  const sureness = Math.max(toSureness(known), confidence);
  if (sureness < GRADES.least) return { minRelevance: Number.POSITIVE_INFINITY };
  const minRelevance = GRADES.follows * best;
  return sureness < GRADES.sure ? { minRelevance, most: GRADES.doubtful } : { minRelevance };
}

/** Shorter than this a passage says nothing. */
const LEAST_PASSAGE = 40;

/** The passage of a text that fits a question best, with so many tokens at most. */
export function cutPassage(
  text: string,
  tokens: QueryTokens,
  { most, countTokens }: { readonly most: number; readonly countTokens: (text: string) => number },
): string {
  let passage = text;
  for (let count = countTokens(text); count > most && passage.length > LEAST_PASSAGE; count = countTokens(passage)) {
    // A token of the whole may be longer than one of the passage.
    const maxLength = Math.max(LEAST_PASSAGE, Math.floor((0.95 * passage.length * most) / count));
    passage = cutSnippet(text, findMatches(text, tokens), { maxLength }).text;
  }
  return passage;
}
