import type { Tokens } from '@contextloom/retrieval';
import { BM25, KEYWORD_WEIGHTS } from './tuning.ts';

/** A term that stands for one of the query, and how much it counts beside it, in (0,1]. */
export interface RelatedTerm {
  readonly term: string;
  readonly of: string;
  readonly weight: number;
}

/** The tokens that a query is looked up by. */
export interface QueryTokens extends Tokens {
  /** Terms that stand for its own, none of which is among these. */
  readonly related?: readonly RelatedTerm[];
}

/** All terms that a document may be found by. */
export function toSoughtTerms({ terms, related = [] }: QueryTokens): readonly string[] {
  return [...new Set([...terms, ...related.map(({ term }) => term)])];
}

/** The kinds of token that a document is scored by. */
const kinds = ['terms', 'unigrams'] as const;

/** A token of a query: what one of it in a document counts, and the tokens that stand for it by their shares, itself first. */
export interface SoughtToken {
  readonly token: string;
  readonly weight: number;
  readonly forms: ReadonlyMap<string, number>;
}

/** The distinct tokens of a query, in a fixed order. */
export function toSought(query: QueryTokens): readonly SoughtToken[] {
  const forms = new Map<string, Map<string, number>>();
  for (const kind of kinds) for (const token of query[kind]) forms.set(token, new Map([[token, 1]]));
  for (const { term, of, weight } of query.related ?? []) forms.get(of)?.set(term, weight);
  const unigrams = new Set(query.unigrams);
  const weightOf = (token: string): number => KEYWORD_WEIGHTS[unigrams.has(token) ? 'unigrams' : 'terms'];
  return [...forms].map(([token, shares]) => ({ token, weight: weightOf(token), forms: shares }));
}

/** How much a token says that `holding` of `population` documents hold. */
export function toRarity(holding: number, population: number): number {
  return Math.log(1 + (population - holding + 0.5) / (holding + 0.5));
}

/**
 * What a token is worth that stands for one of the query, by its share and both rarities. It is never worth more by being the
 * rarer one: what nobody says would outweigh what was asked for.
 */
export function toWorth(share: number, rarity: number, rarityOfAsked: number): number {
  return share * Math.min(rarity, rarityOfAsked);
}

/** How a document's length dampens its words' frequencies. */
export function toDamping(length: number, meanLength: number): number {
  return BM25.k1 * (1 - BM25.b + (BM25.b * length) / meanLength);
}

/** What a token adds to a document's score. */
export function toTokenScore(worth: number, frequency: number, damping: number): number {
  return (worth * frequency * (BM25.k1 + 1)) / (frequency + damping);
}

/** The length of a document, or of several together: whole numbers are summed first, so that their order changes no bit of it. */
export function toLength(terms: number, unigrams: number): number {
  return KEYWORD_WEIGHTS.terms * terms + KEYWORD_WEIGHTS.unigrams * unigrams;
}

function toMeanLength(documents: readonly Tokens[]): number {
  const [terms, unigrams] = kinds.map((kind) => documents.reduce((sum, one) => sum + one[kind].length, 0));
  return toLength(terms ?? 0, unigrams ?? 0) / documents.length;
}

/** How often each of some tokens stands in a document. */
function count(document: Tokens, tokens: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    for (const token of document[kind]) if (tokens.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

/** For which token of the query, by its place in it, a token stands, what that is worth, and what one of it counts. */
interface Meaning {
  readonly place: number;
  readonly worth: number;
  readonly weight: number;
}

function toMeanings(
  sought: readonly SoughtToken[],
  rarityOf: (token: string) => number,
): ReadonlyMap<string, readonly Meaning[]> {
  const meanings = new Map<string, Meaning[]>();
  for (const [place, { token, weight, forms }] of sought.entries()) {
    for (const [form, share] of forms) {
      const worth = toWorth(share, rarityOf(form), rarityOf(token));
      meanings.set(form, [...(meanings.get(form) ?? []), { place, worth, weight }]);
    }
  }
  return meanings;
}

/**
 * Scores documents by the words of a query with BM25 over their own statistics: what documents outside of `documents`
 * hold, such as other users' memories, changes no score. Of several tokens that stand for one of the query, the best counts.
 * A single CJK character never has the form of a term, so that both kinds of token can be counted in one map.
 * @param documents some that were searched, among them all that hold a token of the query
 * @param population how many documents were searched
 */
export function scoreByWords<T extends Tokens>(
  documents: readonly T[],
  query: QueryTokens,
  population: number,
): readonly { readonly document: T; readonly score: number }[] {
  const sought = toSought(query);
  const holders = new Map<string, number>(sought.flatMap(({ forms }) => [...forms.keys()].map((form) => [form, 0])));
  const counted = documents.map((document) => ({ document, counts: count(document, holders) }));
  for (const { counts } of counted)
    for (const token of counts.keys()) holders.set(token, (holders.get(token) ?? 0) + 1);
  const meanings = toMeanings(sought, (token) => toRarity(holders.get(token) ?? 0, population));
  // Of those that hold a word alone: how many of the others were read depends on the way they were found.
  const meanLength = toMeanLength(counted.flatMap(({ document, counts }) => (counts.size > 0 ? [document] : [])));
  return counted.map(({ document, counts }) => {
    const damping = toDamping(toLength(document.terms.length, document.unigrams.length), meanLength);
    const best = new Float64Array(sought.length);
    for (const [token, frequency] of counts) {
      for (const { place, worth, weight } of meanings.get(token) ?? []) {
        best[place] = Math.max(best[place] ?? 0, toTokenScore(worth, weight * frequency, damping));
      }
    }
    // In the order of the query, so that whoever sums in the same order comes to the same last bit.
    return { document, score: best.reduce((sum, value) => sum + value, 0) };
  });
}

/**
 * The documents that hold a word of the query, best first; ties by id.
 * @param population as in {@link scoreByWords}
 */
export function rankByWords<T extends Tokens & { readonly id: string }>(
  documents: readonly T[],
  query: QueryTokens,
  population: number,
  limit: number,
): readonly (T & { readonly score: number })[] {
  return scoreByWords(documents, query, population)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1))
    .slice(0, limit)
    .map(({ document, score }) => ({ ...document, score }));
}
