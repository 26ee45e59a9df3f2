import type { Tokens } from '@contextloom/retrieval';
import { BM25, KEYWORD_WEIGHTS } from './tuning.ts';

/** The kinds of token that a document is scored by. */
const kinds = ['terms', 'unigrams'] as const;

interface Counted<T> {
  readonly document: T;
  /** How often each token of the query stands in the document, by its weight. */
  readonly frequencies: ReadonlyMap<string, number>;
  readonly length: number;
}

function count<T extends Tokens>(document: T, query: ReadonlySet<string>): Counted<T> {
  const frequencies = new Map<string, number>();
  for (const kind of kinds) {
    const weight = KEYWORD_WEIGHTS[kind];
    for (const token of document[kind])
      if (query.has(token)) frequencies.set(token, (frequencies.get(token) ?? 0) + weight);
  }
  return { document, frequencies, length: lengthOf([document]) };
}

/** Whole numbers are summed, so that the length is to the last bit the same in whatever order the documents come. */
function lengthOf(documents: readonly Tokens[]): number {
  return kinds.reduce(
    (sum, kind) => sum + KEYWORD_WEIGHTS[kind] * documents.reduce((count, one) => count + one[kind].length, 0),
    0,
  );
}

/**
 * Scores documents by the words of a query with BM25 over their own statistics: what documents outside of `documents`
 * hold, such as other users' memories, changes no score. A single CJK character never has the form of a term, so that
 * both kinds of token can be counted in one map.
 * @param population how many documents were searched to find these, which all hold a token of the query
 */
export function scoreByWords<T extends Tokens>(
  documents: readonly T[],
  query: Tokens,
  population: number,
): readonly { readonly document: T; readonly score: number }[] {
  const asked = new Set([...query.terms, ...query.unigrams]);
  const counted = documents.map((document) => count(document, asked));
  const holders = new Map<string, number>();
  for (const { frequencies } of counted) {
    for (const token of frequencies.keys()) holders.set(token, (holders.get(token) ?? 0) + 1);
  }
  const meanLength = lengthOf(documents) / documents.length;
  return counted.map(({ document, frequencies, length }) => {
    let score = 0;
    for (const [token, frequency] of frequencies) {
      const holding = holders.get(token) ?? 0;
      const rarity = Math.log(1 + (population - holding + 0.5) / (holding + 0.5));
      const norm = BM25.k1 * (1 - BM25.b + (BM25.b * length) / meanLength);
      score += (rarity * frequency * (BM25.k1 + 1)) / (frequency + norm);
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
