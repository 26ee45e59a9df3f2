import type { Tokens } from '@contextloom/retrieval';
import type { Where } from 'chromadb';
import { rankByWords } from '../../domain/keyword-score.ts';
import { KEYWORD_WEIGHTS, MAX_ROWS_SCORED } from '../../domain/tuning.ts';
import type { Selection } from '../store.ts';
import type { Rows } from './collection.ts';
import { isSelected } from './matches.ts';
import { type HeldRow, parseText, toHeldRow } from './rows.ts';

/** How many tokens are looked up one by one when too many rows hold one of them; each costs a scan. */
const MAX_TOKENS_COUNTED = 16;

/** Whether a row holds one of the tokens. */
export function holdsSome(row: Tokens, { terms, unigrams }: Tokens): boolean {
  const wanted = new Set([...terms, ...unigrams]);
  return row.terms.some((token) => wanted.has(token)) || row.unigrams.some((token) => wanted.has(token));
}

/** Tokens that a row can hold: they stand between blanks in lines of the row's text. */
function isHoldable(token: string): boolean {
  return token !== '' && !/[\s\0]/.test(token);
}

const toLiteral = (token: string): string => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** One regular expression costs the same however many alternatives it has, and a tenth of as many searches for one text. */
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

/** Of very many rows with some token, the ids of those whose tokens are the rarest: the best that can be told without reading them. */
async function chooseRarest(rows: Rows, tokens: Tokens, where: Where | undefined, population: number) {
  const weighted = [
    ...tokens.terms.map((token) => ({ token, weight: KEYWORD_WEIGHTS.terms })),
    ...tokens.unigrams.map((token) => ({ token, weight: KEYWORD_WEIGHTS.unigrams })),
  ];
  const scores = new Map<string, number>();
  for (const { token, weight } of weighted.slice(0, MAX_TOKENS_COUNTED)) {
    const holders = await rows.get({ where, pattern: toPattern([token]) }, []);
    const rarity = Math.log(1 + (population - holders.length + 0.5) / (holders.length + 0.5));
    for (const { id } of holders) scores.set(id, (scores.get(id) ?? 0) + weight * rarity);
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_ROWS_SCORED)
    .map(([id]) => id);
}

/** Finds rows of a large selection by their words, best first. */
export async function findByWords(
  rows: Rows,
  query: Tokens,
  { selection, where, limit }: WordSearch,
): Promise<readonly HeldRow[]> {
  const tokens = { terms: query.terms.filter(isHoldable), unigrams: query.unigrams.filter(isHoldable) };
  const all = [...tokens.terms, ...tokens.unigrams];
  if (all.length === 0) return [];
  const parts = ['metadatas', 'documents'] as const;
  const [population, matched] = await Promise.all([
    where === undefined ? rows.count() : rows.get({ where }, []).then(({ length }) => length),
    rows.get({ where, pattern: toPattern(all), limit: MAX_ROWS_SCORED + 1 }, parts),
  ]);
  const found =
    matched.length <= MAX_ROWS_SCORED
      ? matched
      : await rows.get({ ids: await chooseRarest(rows, tokens, where, population) }, parts);
  const worded = found
    .map(toHeldRow)
    .filter((row) => isSelected(row, selection))
    .map((row) => ({ row, id: row.document, ...parseText(row.found.text) }));
  return rankByWords(worded, query, population, limit).map(({ row }) => row);
}
