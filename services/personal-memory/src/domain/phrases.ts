import type { MatchMode } from '@contextloom/contracts/personal-memory';
import { areForms, findContentWords } from '@contextloom/retrieval';
import { toTokens } from './context.ts';
import { round } from './numbers.ts';

/** A word or a name, and its tokens. */
export interface Phrase {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** Reads a phrase. */
export function toPhrase(text: string): Phrase {
  const { terms, unigrams } = toTokens(text);
  return { text, tokens: [...terms, ...unigrams] };
}

/** Whether a text says a phrase. */
export type Says = (phrase: Phrase) => boolean;

/** Builds the test whether a text says a phrase, in any of its forms; all of its words have to be there. */
export function createSays(text: string): Says {
  const there = new Set(toPhrase(text).tokens);
  return ({ tokens }) => tokens.length > 0 && tokens.every((token) => there.has(token));
}

/** A text that has keywords. */
export interface KeywordMatch {
  readonly matched: readonly string[];
  /** The share of the keywords that are there. */
  readonly share: number;
}

/** Says which keywords a text has; undefined when it does not match. */
export type MatchKeywords = (text: string) => KeywordMatch | undefined;

/** The Latin words of a text by the stem that they share with others. */
function toWordsByStem(text: string): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  for (const { word, term } of findContentWords(text)) words.set(term, [...(words.get(term) ?? []), word]);
  return words;
}

/** Whether each word of a keyword is there in a form of its own: a stem alone joins `commune` and `community`. */
function hasForms(keyword: string, there: ReadonlyMap<string, readonly string[]>): boolean {
  return findContentWords(keyword).every(({ word, term }) => {
    const others = there.get(term) ?? [];
    return others.length === 0 || others.some((other) => areForms(word, other));
  });
}

/**
 * Builds the test of texts for keywords, in any form that they come in: `walk` finds `walks`, 旺财 finds 小旺财. None of
 * their characters has a special meaning.
 */
export function createKeywordTest(keywords: readonly string[], mode: MatchMode): MatchKeywords {
  const wanted = [...new Set(keywords)].map(toPhrase);
  return (text) => {
    const [says, words] = [createSays(text), toWordsByStem(text)];
    const matched = wanted
      .filter((phrase) => says(phrase) && hasForms(phrase.text, words))
      .map((phrase) => phrase.text);
    const isMatch = mode === 'all' ? matched.length === wanted.length : matched.length > 0;
    return isMatch ? { matched, share: round(matched.length / wanted.length, 3) } : undefined;
  };
}
