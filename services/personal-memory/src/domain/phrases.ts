import { toTokens } from './context.ts';

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
