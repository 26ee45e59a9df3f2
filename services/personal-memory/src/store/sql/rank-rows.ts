import { type RelevanceScale, rankTexts, wordsAlone } from '@contextloom/retrieval/ranking';
import type { HybridHits } from '@contextloom/sqlite';
import { round } from '../../domain/numbers.ts';
import type { TextQuery } from '../../domain/store.ts';

/** A hit: a row, with a score in [0, 1], of a question its relevance. */
export interface RowHit {
  readonly row: number;
  readonly score: number;
}

/** The rows that a search found, best first, and how near the best of all was, whether it fits or not. */
export interface FoundRows {
  readonly hits: readonly RowHit[];
  readonly nearest: number;
}

/** Most rows of each list that are held against a question. */
const MAX_READ = 200;

/** How many rows of each list a search looks at. */
export function toDepth({ question, limit }: TextQuery): number {
  return question === undefined ? limit : Math.min(limit, MAX_READ);
}

/** The rows that have words, the best with 1. */
function toRowHits({ byWords }: HybridHits): readonly RowHit[] {
  const most = byWords[0]?.words ?? 1;
  return byWords.map(({ row, words }) => ({ row, score: round(words / most, 3) }));
}

/** How hits become answers. */
export interface RankRowsOptions {
  /** What relevance means with the embedder. */
  readonly scale: RelevanceScale | undefined;
  /** The texts of rows; those that are gone are left out. */
  readonly textsOf: (rows: readonly number[]) => Promise<ReadonlyMap<number, string>>;
}

/** What a search found: of a question the rows of both lists that fit it, best first; else those that have its words. */
export async function rankRows(
  { byWords, byVector }: HybridHits,
  { text, question, limit }: TextQuery,
  { scale, textsOf }: RankRowsOptions,
): Promise<FoundRows> {
  if (question === undefined) return { hits: toRowHits({ byWords, byVector }), nearest: 0 };
  const hits = [...new Map([...byWords, ...byVector].map((hit) => [hit.row, hit])).values()];
  const known = await textsOf(hits.map(({ row }) => row));
  const texts = hits.map(({ row, words, vector }) => ({
    id: String(row),
    text: known.get(row) ?? '',
    words,
    cosine: text.vector === undefined ? undefined : vector,
  }));
  const options = { scale: text.vector === undefined ? wordsAlone : scale, minScore: question.minScore };
  const { hits: fitting, nearest } = rankTexts(question, texts, options);
  const first = fitting.slice(0, limit).map(({ id, relevance }) => ({ row: Number(id), score: relevance }));
  return { hits: first, nearest: round(nearest, 3) };
}
