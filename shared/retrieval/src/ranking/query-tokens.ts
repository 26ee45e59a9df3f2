import { type Tokens, tokenize } from '../text/words/tokenize.ts';

/** Most distinct words of a query, and most characters, that are looked up: a pasted page says nothing more after these. */
export const MAX_QUERY_TOKENS = 256;

/** A term that stands for one of the query, and its share of what that one counts in a ranking, in (0,1]. */
export interface ExpansionTerm {
  readonly term: string;
  /** The other terms of a word that is longer than one: a text that has them all has the word. */
  readonly rest?: readonly string[];
  readonly of: string;
  readonly weight: number;
  /** How much of the query's term a text tells that has it, in (0,1]; the same as in a ranking when absent. */
  readonly tells?: number;
}

/** The tokens that a query is looked up by. */
export interface QueryTokens extends Tokens {
  /** Terms that stand for its own, none of which is among these. */
  readonly expansions?: readonly ExpansionTerm[];
  /** The Chinese words that its Chinese terms are cut from, as far as they carry content. */
  readonly words?: readonly string[];
}

/** All terms that a document may be found by. */
export function toExpandedTerms({ terms, expansions = [] }: QueryTokens): readonly string[] {
  return [...new Set([...terms, ...expansions.map(({ term }) => term)])];
}

/** The tokens that a query is looked up by: each once, the first ones of a very long query. */
export function toQueryTokens(query: string): Tokens {
  const { terms, unigrams } = tokenize(query);
  const distinct = (tokens: readonly string[]) => [...new Set(tokens)].slice(0, MAX_QUERY_TOKENS);
  return { terms: distinct(terms), unigrams: distinct(unigrams) };
}
