import { findChineseWords } from '../text/chinese/chinese-words.ts';
import { type Question, readQuestion } from '../text/question.ts';
import { toTokensWithForms } from './query-expansion.ts';
import { type QueryTokens, toQueryTokens } from './query-tokens.ts';
import type { RelevanceScale } from './relevance-scale.ts';

/** What a search looks for: a question, and its tokens. */
export interface SearchQuery extends Question {
  /** Texts are found by these, and put in order. */
  readonly tokens: QueryTokens;
  /** How much of the question a text answers is measured by these: without words of measure (`how long`), which answers lack. */
  readonly soughtTokens: QueryTokens;
}

/** The tokens without those that what is looked for lacks. */
function toSoughtTokens({ words, sought }: Question, tokens: QueryTokens): QueryTokens {
  if (words === sought) return tokens;
  const { terms, unigrams } = toQueryTokens(sought);
  const isSought = (token: string): boolean => terms.includes(token) || unigrams.includes(token);
  const expansions = tokens.expansions?.filter(({ of }) => isSought(of)) ?? [];
  return {
    terms: tokens.terms.filter(isSought),
    unigrams: tokens.unigrams,
    words: findChineseWords(sought),
    expansions,
  };
}

/** Reads what a query looks for, in every store alike; a greeting is looked for as it stands. */
export function readSearchQuery(query: string): SearchQuery {
  const question = readQuestion(query);
  const readable = question.isEmpty ? { ...question, words: query, sought: query } : question;
  const tokens = toTokensWithForms(readable.words);
  return { ...readable, tokens, soughtTokens: toSoughtTokens(readable, tokens) };
}

/** What a vector is made of: a model reads a question as a whole, and words that ask are in texts about anything. */
export function toEmbeddedQuery(
  query: string,
  { words }: Pick<SearchQuery, 'words'>,
  { cosine }: RelevanceScale,
): string {
  return cosine === undefined ? words : query;
}
