import { findChineseWords } from '../text/chinese/chinese-words.ts';
import { toBaseForms, toOtherForms } from '../text/words/irregular-forms.ts';
import { findContentWords, stemTerm, type Tokens } from '../text/words/tokenize.ts';
import { findConceptWords, type RelatedWord, relateConcept, toConceptWord } from '../thesaurus/concepts.ts';
import { type ExpansionTerm, type QueryTokens, toQueryTokens } from './query-tokens.ts';

/** Concepts are looked up for so many words, which bounds what a search costs. */
const MAX_WORDS = 12;

/**
 * How much of a word of the query a text tells that has a word of the same concept, of a kind of it, or of what it is a kind of;
 * what share of that counts in a ranking, where those who said it in the same words come first; and how many stand for a word
 * at most. By bench:recall, without and with them: evidence among the first ten .795 and .795, mrr .609 and .610 (five of
 * LoCoMo); .635 and .663, .483 and .495 (town.en); .751 and .759, .618 and .620 (town.zh).
 */
const CONCEPTS = { same: 0.7, narrower: 0.5, wider: 0.3, ranking: 0.5, perWord: 64 } as const;

/** How many characters of a query are looked at for its first words, in UTF-16 code units. */
const MAX_READ = 2_000;

/** Other forms of a term that no stemmer brings to the same stem: `bought` for `buy`. */
function toForms(term: string): readonly ExpansionTerm[] {
  return toOtherForms(term).map((form) => ({ term: form, of: term, weight: 1 }));
}

function toExpansion(of: string, { term, rest, relation }: RelatedWord): readonly ExpansionTerm[] {
  const tells = CONCEPTS[relation];
  return [term, ...toOtherForms(term)].map((one) => ({
    term: one,
    rest,
    of,
    tells,
    weight: CONCEPTS.ranking * tells,
  }));
}

/** What stands for the words of a query in the thesaurus of concepts, in English and Chinese. */
function findConcepts(words: readonly string[], query: string): readonly ExpansionTerm[] {
  const english = findContentWords(query).slice(0, MAX_WORDS);
  const queryTerms = [
    ...english.flatMap(({ word, term }) =>
      [...new Set([term, ...toBaseForms(word).map(stemTerm)])].map((key) => ({ key, of: term })),
    ),
    ...words
      .slice(0, MAX_WORDS)
      .flatMap(findConceptWords)
      .map((key) => ({ key, of: toConceptWord(key).term })),
  ];
  return queryTerms.flatMap(({ key, of }) =>
    relateConcept(key)
      .flatMap((related) => toExpansion(of, related))
      .slice(0, CONCEPTS.perWord),
  );
}

/** Each term once for each of the query's that it stands for, by its highest weight; none of the query's own. */
function toDistinct({ terms, unigrams }: Tokens, expansions: readonly ExpansionTerm[]): readonly ExpansionTerm[] {
  const own = new Set([...terms, ...unigrams]);
  const best = new Map<string, ExpansionTerm>();
  for (const one of expansions) {
    const key = [one.of, one.term, ...(one.rest ?? [])].join(' ');
    const known = best.get(key);
    if (own.has(one.of) && (known === undefined || known.weight < one.weight)) best.set(key, one);
  }
  return [...best.values()].filter(({ term, rest = [] }) => rest.length > 0 || !own.has(term));
}

/** The tokens of a query with what stands for its words wherever it is searched: other forms, and words of the same concept. */
export function toTokensWithForms(query: string): QueryTokens {
  const tokens = toQueryTokens(query);
  const text = query.slice(0, MAX_READ);
  const words = findChineseWords(text);
  const forms = tokens.terms.flatMap(toForms);
  return { ...tokens, words, expansions: toDistinct(tokens, [...forms, ...findConcepts(words, text)]) };
}
