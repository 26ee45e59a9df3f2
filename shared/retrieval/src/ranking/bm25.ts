import { isCommonTerm } from '../text/words/common-words.ts';
import type { Tokens } from '../text/words/tokenize.ts';
import type { QueryTokens } from './query-tokens.ts';

/**
 * BM25's saturation, and the tokens that are added to the length of each text before lengths are compared (Robertson and Zaragoza
 * 2009, section 3.3). Full length normalisation, b = 1, is right where answers are long: a page has every word. Among turns of ten
 * words one of twenty says more, and not the same in more words. With the addend, lengths count the more the longer texts are. The table
 * of docs/search.md has what it is worth.
 */
export const BM25 = { k1: 1.2, addend: 60 } as const;

/**
 * What a word that texts about anything have counts next to others: among a few memories `go` or `work` may be rarer than what a
 * question is about, and says less all the same.
 */
const COMMON = 0.5;

/** The kinds of token that a document is scored by. */
const kinds = ['terms', 'unigrams'] as const;

/** A token of a query, and the tokens that stand for it by their shares, itself first. */
interface SoughtToken {
  readonly token: string;
  readonly forms: ReadonlyMap<string, number>;
}

/** The distinct tokens of a query, in a fixed order. */
function toSoughtTokens(query: QueryTokens): readonly SoughtToken[] {
  const forms = new Map<string, Map<string, number>>();
  for (const kind of kinds) for (const token of query[kind]) forms.set(token, new Map([[token, 1]]));
  for (const { term, of, weight } of query.expansions ?? []) forms.get(of)?.set(term, weight);
  return [...forms].map(([token, shares]) => ({ token, forms: shares }));
}

/** The inverse document frequency of a token that `documentFrequency` of `population` documents have; never below 0. */
export function toIdf(documentFrequency: number, population: number): number {
  return Math.log(1 + (population - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * The weight of a term that stands for one of the query, by its share and both idfs. The rarer of the two never weighs more:
 * a word that nobody uses would outweigh the one in the question.
 */
export function toTermWeight(share: number, idf: number, idfOfQueryTerm: number): number {
  return share * Math.min(idf, idfOfQueryTerm);
}

/** The length norm of a document: how its length dampens the frequencies of its terms. */
export function toLengthNorm(length: number, meanLength: number): number {
  return (BM25.k1 * (length + BM25.addend)) / (meanLength + BM25.addend);
}

/** What a term adds to a document's score. */
export function toTermScore(termWeight: number, frequency: number, lengthNorm: number): number {
  return (termWeight * frequency * (BM25.k1 + 1)) / (frequency + lengthNorm);
}

/** The documents that have a form, in the order in which they were begun, and how often each has it. */
interface Postings {
  readonly documents: number[];
  readonly frequencies: number[];
}

/*
 * The loops over all documents are plain functions of their arguments, so that V8 optimises them once for every search; what
 * they read lies inside of the arrays.
 */

/** Raises the scores of documents to those of a form, where that is higher. */
function raiseScores(
  scores: Float64Array,
  { documents, frequencies }: Postings,
  norms: Float64Array,
  termWeight: number,
): void {
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] as number;
    const score = toTermScore(termWeight, frequencies[at] as number, norms[document] as number);
    if (score > (scores[document] as number)) scores[document] = score;
  }
}

/** Adds the scores of documents to others, and leaves 0 of them. */
function moveScores(from: Float64Array, to: Float64Array, { documents }: Postings): void {
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] as number;
    to[document] = (to[document] as number) + (from[document] as number);
    from[document] = 0;
  }
}

/**
 * BM25 over the statistics of the documents that are searched alone: what other documents contain, such as other users'
 * memories, changes no score. It gets, of each document that has a form, in any order, how long it is and how often it has
 * which form; of several forms that stand for one token of the query, the best counts.
 */
export interface Bm25 {
  /** The tokens to look for: those of the query, and what stands for them. `count` takes them by their places here. */
  readonly forms: readonly string[];
  /** Begins a document that has one of the forms, by its counts of tokens; they are numbered from 0. */
  begin(terms: number, unigrams: number): number;
  /** Tells how often a document has a form that it has. */
  count(document: number, form: number, frequency: number): void;
  /**
   * The scores of the documents, in the order in which they were begun.
   * @param population how many documents were searched
   */
  score(population: number): Float64Array;
}

/** Begins the scoring of some documents by the words of a query. */
export function createBm25(query: QueryTokens): Bm25 {
  const tokens = toSoughtTokens(query);
  const forms = new Map<string, number>();
  for (const { forms: shares } of tokens) {
    for (const form of shares.keys()) if (!forms.has(form)) forms.set(form, forms.size);
  }
  const postings = Array.from(forms, (): Postings => ({ documents: [], frequencies: [] }));
  const lengths: number[] = [];
  let all = 0;
  const postingsOf = (form: string): Postings => postings[forms.get(form) ?? 0] ?? { documents: [], frequencies: [] };

  return {
    forms: [...forms.keys()],
    begin: (terms, unigrams) => {
      all += terms + unigrams;
      return lengths.push(terms + unigrams) - 1;
    },
    count: (document, form, frequency) => {
      const { documents, frequencies } = postings[form] as Postings;
      documents.push(document);
      frequencies.push(frequency);
    },
    score: (population) => {
      const idfOf = (form: string): number => toIdf(postingsOf(form).documents.length, population);
      // Of the documents that have a form alone: a store that finds them by an index reads no others.
      const meanLength = all / lengths.length;
      const norms = new Float64Array(lengths.map((length) => toLengthNorm(length, meanLength)));
      const [scores, best] = [new Float64Array(lengths.length), new Float64Array(lengths.length)];
      // In the order of the query, so that the order of the counts changes no bit of the sum.
      for (const { token, forms: shares } of tokens) {
        const common = isCommonTerm(token) ? COMMON : 1;
        for (const [form, share] of shares) {
          const termWeight = toTermWeight(common * share, idfOf(form), idfOf(token));
          raiseScores(best, postingsOf(form), norms, termWeight);
        }
        for (const form of shares.keys()) moveScores(best, scores, postingsOf(form));
      }
      return scores;
    },
  };
}

/** How often a document has each of the tokens, by their places. */
function countFrequencies(document: Tokens, forms: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const frequencies = new Map<number, number>();
  for (const kind of kinds) {
    for (const token of document[kind]) {
      const form = forms.get(token);
      if (form !== undefined) frequencies.set(form, (frequencies.get(form) ?? 0) + 1);
    }
  }
  return frequencies;
}

/**
 * Scores documents by {@link createBm25} from their tokens. A single CJK character never has the form of a term, so that both
 * kinds of token are counted in one map.
 * @param documents some of those that were searched, among them all that have a token of the query
 * @param population how many documents were searched
 */
export function scoreBm25<T extends Tokens>(
  documents: readonly T[],
  query: QueryTokens,
  population: number,
): readonly { readonly document: T; readonly score: number }[] {
  const bm25 = createBm25(query);
  const forms = new Map(bm25.forms.map((form, at) => [form, at]));
  const places = documents.map((document) => {
    const frequencies = countFrequencies(document, forms);
    if (frequencies.size === 0) return -1;
    const place = bm25.begin(document.terms.length, document.unigrams.length);
    for (const [form, frequency] of frequencies) bm25.count(place, form, frequency);
    return place;
  });
  const scores = bm25.score(population);
  return documents.map((document, at) => ({ document, score: scores[places[at] ?? -1] ?? 0 }));
}

/**
 * The documents that have a word of the query, best first; ties by id.
 * @param population as in {@link scoreBm25}
 */
export function rankBm25<T extends Tokens & { readonly id: string }>(
  documents: readonly T[],
  query: QueryTokens,
  population: number,
  limit: number,
): readonly (T & { readonly score: number })[] {
  return scoreBm25(documents, query, population)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1))
    .slice(0, limit)
    .map(({ document, score }) => ({ ...document, score }));
}
