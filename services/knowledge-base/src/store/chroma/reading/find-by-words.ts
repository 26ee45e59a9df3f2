import type { Tokens } from '@contextloom/retrieval';
import { type QueryTokens, rankBm25, toExpandedTerms } from '@contextloom/retrieval/ranking';
import type { Where } from 'chromadb';
import { MAX_ROWS_SCORED } from '../../../domain/search/tuning.ts';
import type { Selection } from '../../../domain/store.ts';
import type { Rows } from '../rows/collection.ts';
import { parseText, type StoredRow, toStoredRow } from '../rows/rows.ts';
import { createDocumentFrequencies, type Shares } from './document-frequencies.ts';
import { isSelected } from './selected.ts';

/** Whether a row holds one of the tokens, or a term that is related to one. */
export function holdsSome(row: Tokens, query: QueryTokens): boolean {
  const wanted = new Set([...toExpandedTerms(query), ...query.unigrams]);
  return row.terms.some((token) => wanted.has(token)) || row.unigrams.some((token) => wanted.has(token));
}

/** Tokens that a row can hold: they stand between blanks in lines of the row's text. */
function isHoldable(token: string): boolean {
  return token !== '' && !/[\s\0]/.test(token);
}

const toLiteral = (token: string): string => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** One regular expression costs the same with any number of alternatives, and a tenth of that many searches for one text. */
function toPattern(tokens: readonly string[]): string {
  return ` (${tokens.map(toLiteral).join('|')}) `;
}

/** What a search by words is about. */
export interface WordSearch {
  readonly selection: Selection;
  /** What the engine can tell of the selection. */
  readonly where: Where | undefined;
  readonly limit: number;
}

/**
 * The rarest of the tokens, as many as not too many rows hold one of: these rows rank first, and each search of the engine
 * is a scan. Related terms only score what these find.
 */
function chooseRarest(tokens: readonly string[], shares: Shares, population: number): readonly string[] {
  const sorted = [...tokens].sort((a, b) => shares.of(a) - shares.of(b));
  let expected = 0;
  return sorted.filter((token, at) => {
    expected += shares.of(token) * population;
    return at === 0 || expected <= MAX_ROWS_SCORED;
  });
}

/** A row that was found, and its score. */
export interface ScoredRow {
  readonly row: StoredRow;
  readonly score: number;
}

interface WordedRow extends Tokens {
  readonly id: string;
  readonly row: StoredRow;
}

function toWordedRow(row: StoredRow): WordedRow {
  return { id: row.document, row, ...parseText(row.found.text) };
}

/** Builds the search for rows of a large selection by their words, best first. */
export function createFindByWords() {
  const documentFrequencies = createDocumentFrequencies();
  return async (
    rows: Rows,
    query: QueryTokens,
    { selection, where, limit }: WordSearch,
  ): Promise<readonly ScoredRow[]> => {
    const tokens: readonly string[] = [...query.terms, ...query.unigrams].filter(isHoldable);
    if (tokens.length === 0) return [];
    const count = await rows.count();
    const population = where === undefined ? count : (await rows.get({ where }, [])).length;
    const read = async (wanted: readonly string[]): Promise<readonly WordedRow[]> => {
      const asked = { where, pattern: toPattern(wanted), limit: MAX_ROWS_SCORED };
      return (await rows.get(asked, ['metadatas', 'documents'])).map(toStoredRow).map(toWordedRow);
    };
    const isLarge = population > MAX_ROWS_SCORED;
    const sought = [...toExpandedTerms(query), ...query.unigrams].filter(isHoldable);
    const chosen = isLarge ? chooseRarest(tokens, await documentFrequencies(rows, count), population) : sought;
    const worded = new Map((await read(chosen)).map((one) => [one.id, one]));
    // The words left out are better than none.
    if (worded.size < limit && tokens.some((token) => !chosen.includes(token))) {
      for (const one of await read(tokens)) worded.set(one.id, one);
    }
    const selected = [...worded.values()].filter(({ row }) => isSelected(row, selection));
    return rankBm25(selected, query, population, limit);
  };
}
