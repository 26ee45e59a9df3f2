import { KEYWORD_WEIGHTS, type QueryTokens, rankBm25, toExpandedTerms } from '@contextloom/retrieval/ranking';
import type { Database } from '@contextloom/sqlite';
import type { Found, Visibility } from '../../domain/store.ts';
import { MAX_CHARACTERS_READ, MAX_ROWS_READ, MAX_ROWS_SCORED } from '../../domain/tuning.ts';
import { CANDIDATE_COLUMNS, type CandidateRow, type FoundRow, type ToFound } from './rows.ts';
import { toOwnerToken } from './writer.ts';

/** More owners than this are left to the join with the picked rows. */
const MAX_OWNERS_MATCHED = 64;

/** Tokens as FTS5 strings, in which only the quote has a meaning; a NUL would end the whole query. */
function anyInColumn(column: string, tokens: readonly string[]): readonly string[] {
  const strings = tokens.map((token) => `"${token.replaceAll('\0', '').replaceAll('"', '""')}"`);
  return strings.length === 0 ? [] : [`${column} : (${strings.join(' OR ')})`];
}

/** The FTS5 query for rows with any of the tokens, cut with the postings of the owners. */
function toMatch(terms: readonly string[], { unigrams }: QueryTokens, visible: Visibility): string {
  const words = [...anyInColumn('terms', terms), ...anyInColumn('unigrams', unigrams)];
  const owners = visible.kind === 'owners' && visible.owners.length <= MAX_OWNERS_MATCHED ? visible.owners : [];
  return [...anyInColumn('owner', owners.map(toOwnerToken)), `(${words.join(' OR ')})`].join(' AND ');
}

interface TokenRow extends CandidateRow {
  readonly terms: string;
  readonly unigrams: string;
}

// CROSS JOIN keeps the order of the tables: the words find the rows, and each is then looked up once. The other way
// round every picked row would start a full-text query of its own.
const MATCHED = `FROM tokens CROSS JOIN temp.picked p ON p.doc = tokens.rowid
  CROSS JOIN documents d ON d.doc = p.doc WHERE tokens MATCH ?`;
const READ = `FROM temp.picked p CROSS JOIN tokens ON tokens.rowid = p.doc CROSS JOIN documents d ON d.doc = p.doc`;
const COLUMNS = `${CANDIDATE_COLUMNS}, tokens.terms, tokens.unigrams`;

/** The tokens of a column; none in an empty one, where a plain split would find one. */
function toWords(column: string): readonly string[] {
  return column === '' ? [] : column.split(' ');
}

/** What is searched for, among how many picked rows, and how many of those that are found are wanted. */
interface WordSearch {
  readonly tokens: QueryTokens;
  readonly visible: Visibility;
  readonly picked: number;
  readonly limit: number;
}

function rankRows(
  rows: readonly TokenRow[],
  { tokens, picked, limit }: WordSearch,
  toFound: ToFound,
): readonly Found[] {
  const documents = rows.map((row) => ({ ...row, terms: toWords(row.terms), unigrams: toWords(row.unigrams) }));
  return rankBm25(documents, tokens, picked, limit).map(toFound);
}

/** The rows, read one by one; undefined when they hold more than is read and counted at a time. */
function readFew(rows: Iterable<TokenRow>): readonly TokenRow[] | undefined {
  const few: TokenRow[] = [];
  let characters = 0;
  for (const row of rows) {
    characters += row.terms.length + row.unigrams.length;
    if (characters > MAX_CHARACTERS_READ) return undefined;
    few.push(row);
  }
  return few;
}

/** Builds the search for those of the picked rows that hold a word of the query, best first. */
export function createKeywordSearch(database: Database) {
  const readAll = database.prepare<[], TokenRow>(`SELECT ${COLUMNS} ${READ}`);
  const readMatched = database.prepare<[string, number], TokenRow>(`SELECT ${COLUMNS} ${MATCHED} LIMIT ?`);
  const rankMatched = database.prepare<[string, number], FoundRow>(
    // FTS5 has the better rows at the smaller numbers.
    `SELECT ${CANDIDATE_COLUMNS}, -bm25(tokens, 0, ${KEYWORD_WEIGHTS.terms}, ${KEYWORD_WEIGHTS.unigrams}) AS score ${MATCHED}
     ORDER BY score DESC, d.id LIMIT ?`,
  );
  return (search: WordSearch, toFound: ToFound): readonly Found[] => {
    const { tokens: query, visible, picked, limit } = search;
    if (query.terms.length + query.unigrams.length === 0) return [];
    // A full-text query costs more the longer it is; a few rows are read faster without one.
    const all = picked <= MAX_ROWS_READ ? readFew(readAll.iterate()) : undefined;
    if (all !== undefined) return rankRows(all, search, toFound);
    // Every further word costs as much for each row of the owner: among many, related terms only score what the own ones find.
    const sought = picked <= MAX_ROWS_SCORED ? toExpandedTerms(query) : query.terms;
    const match = toMatch(sought, query, visible);
    const matched = readFew(readMatched.iterate(match, MAX_ROWS_SCORED + 1));
    // Above that the statistics of the whole index come near to theirs, and FTS5's own bm25, which reads no row, is faster.
    if (matched !== undefined && matched.length <= MAX_ROWS_SCORED) return rankRows(matched, search, toFound);
    return rankMatched.all(match, limit).map(toFound);
  };
}
