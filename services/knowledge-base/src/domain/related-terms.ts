import { findContentWords, type Tokens, toBaseForms, toOtherForms } from '@contextloom/retrieval';
import { toQueryTokens } from './indexing.ts';
import type { QueryTokens, RelatedTerm } from './keyword-score.ts';
import type { Lexicon } from './lexicon.ts';
import { RELATED } from './tuning.ts';

/** How many characters of a query are looked at for its first words, in UTF-16 code units. */
const MAX_READ = 2_000;

/** Other forms of a word's term, and the terms of related words with theirs, nearest first. */
function relate(term: string, words: readonly string[]): readonly RelatedTerm[] {
  const forms = toOtherForms(term).map((form) => ({ term: form, of: term, weight: RELATED.form }));
  const related = words.flatMap(findContentWords).flatMap((word) => [word.term, ...toOtherForms(word.term)]);
  const found = new Map<string, RelatedTerm>(forms.map((form) => [form.term, form]));
  for (const one of related) {
    if (one !== term && !found.has(one)) found.set(one, { term: one, of: term, weight: RELATED.word });
  }
  return [...found.values()].slice(0, RELATED.perWord);
}

/** The terms that stand for those of a query in other words: for as many of its first words as are worth it. */
async function findRelatedTerms(
  query: string,
  tokens: Tokens,
  lexicon: Lexicon | undefined,
): Promise<readonly RelatedTerm[]> {
  const words = new Map(findContentWords(query.slice(0, MAX_READ)).map(({ word, term }) => [term, word]));
  const looked = [...words]
    .slice(0, RELATED.words)
    .map(([term, word]) => ({ term, forms: [word, ...toBaseForms(word)] }));
  if (looked.length === 0) return [];
  const known = await lexicon?.findRelated(looked.flatMap(({ forms }) => forms));
  const own = new Set(tokens.terms);
  return looked.flatMap(({ term, forms }) => {
    const related = forms.flatMap((form) => known?.get(form) ?? []);
    return relate(term, related).filter((one) => own.has(term) && !own.has(one.term));
  });
}

/** The tokens of a query with the terms that are related to them; without these while the lexicon cannot be read. */
export async function toSearchTokens(
  query: string,
  { lexicon, onFailure }: { readonly lexicon: Lexicon | undefined; readonly onFailure: (error: unknown) => void },
): Promise<QueryTokens> {
  const tokens = toQueryTokens(query);
  const find = (using: Lexicon | undefined) => findRelatedTerms(query, tokens, using);
  const related = await find(lexicon).catch((error: unknown) => {
    onFailure(error);
    return find(undefined);
  });
  return { ...tokens, related };
}
