import type { Tokens } from '@contextloom/retrieval';
import type { Where } from 'chromadb';
import { rankByWords } from '../../domain/keyword-score.ts';
import { MAX_ROWS_SCORED } from '../../domain/tuning.ts';
import type { Selection } from '../store.ts';
import type { Rows } from './collection.ts';
import { isSelected } from './matches.ts';
import { type HeldRow, parseText, toHeldRow } from './rows.ts';

/** How often the engine is asked again, each time for the rarer half of the words. */
const MAX_NARROWINGS = 3;

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

/** The rarer half of the tokens, by how many of some rows hold each. */
function chooseRarer(tokens: readonly string[], rows: readonly WordedRow[]): readonly string[] {
  const holders = new Map(tokens.map((token) => [token, 0]));
  for (const { terms, unigrams } of rows) {
    for (const token of new Set([...terms, ...unigrams])) {
      const count = holders.get(token);
      if (count !== undefined) holders.set(token, count + 1);
    }
  }
  return [...holders]
    .sort((a, b) => a[1] - b[1])
    .slice(0, holders.size >> 1)
    .map(([token]) => token);
}

interface WordedRow extends Tokens {
  readonly id: string;
  readonly row: HeldRow;
}

function toWordedRow(row: HeldRow): WordedRow {
  return { id: row.document, row, ...parseText(row.found.text) };
}

/** Finds rows of a large selection by their words, best first. */
export async function findByWords(
  rows: Rows,
  query: Tokens,
  { selection, where, limit }: WordSearch,
): Promise<readonly HeldRow[]> {
  const read = async (tokens: readonly string[]): Promise<readonly WordedRow[]> => {
    const asked = { where, pattern: toPattern(tokens), limit: MAX_ROWS_SCORED + 1 };
    return (await rows.get(asked, ['metadatas', 'documents'])).map(toHeldRow).map(toWordedRow);
  };
  let tokens: readonly string[] = [...query.terms, ...query.unigrams].filter(isHoldable);
  if (tokens.length === 0) return [];
  const [population, first] = await Promise.all([
    where === undefined ? rows.count() : rows.get({ where }, []).then(({ length }) => length),
    read(tokens),
  ]);
  const worded = new Map(first.map((one) => [one.id, one]));
  // Of too many rows the engine gives the oldest. Those with the rarest words, which rank first, are asked for by name.
  for (let last = first, turn = 0; last.length > MAX_ROWS_SCORED && turn < MAX_NARROWINGS; turn += 1) {
    tokens = chooseRarer(tokens, last);
    if (tokens.length === 0) break;
    last = await read(tokens);
    for (const one of last) worded.set(one.id, one);
  }
  const selected = [...worded.values()].filter(({ row }) => isSelected(row, selection));
  return rankByWords(selected, query, population, limit).map(({ row }) => row);
}
