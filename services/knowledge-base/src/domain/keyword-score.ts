import type { Tokens } from '@contextloom/retrieval';
import { BM25, KEYWORD_WEIGHTS } from './tuning.ts';

/** The kinds of token that a document is scored by. */
const kinds = ['terms', 'unigrams'] as const;

interface Counted<T> {
  readonly document: T;
  /** How often each token of the query stands in the document, by the token's place in the query. */
  readonly counts: ReadonlyMap<number, number>;
  readonly length: number;
}

/** The distinct tokens of a query in a fixed order, each with what one in a document counts. */
export function toAsked(query: Tokens): ReadonlyMap<string, number> {
  return new Map(kinds.flatMap((kind) => query[kind].map((token) => [token, KEYWORD_WEIGHTS[kind]] as const)));
}

function count<T extends Tokens>(document: T, places: ReadonlyMap<string, number>): Counted<T> {
  const counts = new Map<number, number>();
  for (const kind of kinds) {
    for (const token of document[kind]) {
      const place = places.get(token);
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  return { document, counts, length: toLength(document.terms.length, document.unigrams.length) };
}

/** How much a token says that `holding` of `population` documents hold. */
export function toRarity(holding: number, population: number): number {
  return Math.log(1 + (population - holding + 0.5) / (holding + 0.5));
}

/** How a document's length dampens its words' frequencies. */
export function toDamping(length: number, meanLength: number): number {
  return BM25.k1 * (1 - BM25.b + (BM25.b * length) / meanLength);
}

/** What a token adds to a document's score. */
export function toTokenScore(rarity: number, frequency: number, damping: number): number {
  return (rarity * frequency * (BM25.k1 + 1)) / (frequency + damping);
}

/** The length of a document, or of several together: whole numbers are summed first, so that their order changes no bit of it. */
export function toLength(terms: number, unigrams: number): number {
  return KEYWORD_WEIGHTS.terms * terms + KEYWORD_WEIGHTS.unigrams * unigrams;
}

function toMeanLength(documents: readonly Tokens[]): number {
  const [terms, unigrams] = kinds.map((kind) => documents.reduce((sum, one) => sum + one[kind].length, 0));
  return toLength(terms ?? 0, unigrams ?? 0) / documents.length;
}

/**
 * Scores documents by the words of a query with BM25 over their own statistics: what documents outside of `documents`
 * hold, such as other users' memories, changes no score. A single CJK character never has the form of a term, so that
 * both kinds of token can be counted in one map.
 * @param documents some that were searched, among them all that hold a token of the query
 * @param population how many documents were searched
 */
export function scoreByWords<T extends Tokens>(
  documents: readonly T[],
  query: Tokens,
  population: number,
): readonly { readonly document: T; readonly score: number }[] {
  const asked = toAsked(query);
  const places = new Map([...asked.keys()].map((token, place) => [token, place]));
  const weights = [...asked.values()];
  const counted = documents.map((document) => count(document, places));
  const holders: number[] = [];
  for (const { counts } of counted) for (const place of counts.keys()) holders[place] = (holders[place] ?? 0) + 1;
  // Of those that hold a word alone: how many of the others were read depends on the way they were found.
  const meanLength = toMeanLength(documents.filter((_, at) => (counted[at]?.counts.size ?? 0) > 0));
  return counted.map(({ document, counts, length }) => {
    const damping = toDamping(length, meanLength);
    let score = 0;
    // In the order of the query, so that whoever sums in the same order comes to the same last bit.
    for (const [place, frequency] of [...counts].sort(([a], [b]) => a - b)) {
      score += toTokenScore(toRarity(holders[place] ?? 0, population), (weights[place] ?? 0) * frequency, damping);
    }
    return { document, score };
  });
}

/**
 * The documents that hold a word of the query, best first; ties by id.
 * @param population as in {@link scoreByWords}
 */
export function rankByWords<T extends Tokens & { readonly id: string }>(
  documents: readonly T[],
  query: Tokens,
  population: number,
  limit: number,
): readonly (T & { readonly score: number })[] {
  return scoreByWords(documents, query, population)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1))
    .slice(0, limit)
    .map(({ document, score }) => ({ ...document, score }));
}
