import { readQuestion } from '../text/question.ts';
import { toTokensWithForms } from './query-expansion.ts';
import type { QueryTokens } from './query-tokens.ts';

/** The text of a question without what only asks; a greeting, or what has no content, as it stands. */
export function toSoughtText(query: string): string {
  const { isEmpty, sought } = readQuestion(query);
  return isEmpty ? query : sought;
}

/** The tokens of what a question looks for, with other forms of its irregular words. */
export function toQuestionTokens(query: string): QueryTokens {
  return toTokensWithForms(toSoughtText(query));
}
