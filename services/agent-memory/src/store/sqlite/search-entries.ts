import {
  fuseRanks,
  measureRelevance,
  type QueryTokens,
  type RelevanceScale,
  toQueryTokens,
  toQuestionTokens,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import type { HybridHit, HybridHits, HybridIndex } from '@contextloom/sqlite';
import type { EntryHit } from '../../domain/model/answers.ts';
import type { FoundEntries, IndexQuery } from '../../domain/ports/entry-index.ts';
import { type EntryRow, toCondition, toIndexedText, toMemoryEntry } from './entry-rows.ts';

/** What entries are searched with. */
export interface EntrySearchOptions {
  readonly index: Pick<HybridIndex, 'search'>;
  /** Undefined while the embedder is out of reach. */
  readonly embedQuery: (query: string) => Promise<Float32Array | undefined>;
  readonly readEntry: (id: string) => EntryRow | undefined;
  /** What relevance means with the embedder. */
  readonly scale: RelevanceScale;
}

/** Semantic and keyword share of the common score, as the design of this memory says. */
const WEIGHTS = { vector: 0.7, words: 0.3 };
/** Fewest hits of each list that are read. */
const MIN_DEPTH = 50;

/** An entry that was found, with what its words and its vector tell. */
interface Candidate {
  readonly hit: HybridHit;
  readonly row: EntryRow;
}

function readCandidates({ byWords, byVector }: HybridHits, { readEntry }: EntrySearchOptions): readonly Candidate[] {
  const hits = new Map([...byWords, ...byVector].map((hit) => [hit.key, hit]));
  return [...hits.values()].flatMap((hit) => {
    const row = readEntry(hit.key);
    return row === undefined ? [] : [{ hit, row }];
  });
}

/** Reciprocal ranks of both lists, for callers that ask for them. */
function toRanks({ byWords, byVector }: HybridHits): ReadonlyMap<string, number> {
  const ids = (list: HybridHits['byWords']) => list.map(({ key }) => key);
  return fuseRanks([{ ids: ids(byVector) }, { ids: ids(byWords) }]);
}

function toHits(candidates: readonly Candidate[], tokens: QueryTokens, scale: RelevanceScale): readonly EntryHit[] {
  const passages = candidates.map(({ hit, row }) => ({ id: hit.key, text: toIndexedText(row), cosine: hit.vector }));
  const words = measureRelevance(tokens, passages);
  const relevance = scale.cosine === undefined ? words : measureRelevance(tokens, passages, scale);
  return candidates.map(({ hit: { key, vector }, row }) => {
    const text = words.get(key) ?? 0;
    return {
      entry: toMemoryEntry(row),
      score: WEIGHTS.vector * vector + WEIGHTS.words * text,
      relevance: relevance.get(key) ?? 0,
      vector_score: vector,
      text_score: text,
    };
  });
}

/** Builds the search of entries: those of both lists that fit the question, in the order of their common score. */
export function createEntrySearch(options: EntrySearchOptions): (query: IndexQuery) => Promise<FoundEntries> {
  const { index, embedQuery, scale } = options;
  return async (query) => {
    const vector = await embedQuery(query.query);
    const isLike = query.except !== undefined;
    const tokens = isLike ? toQueryTokens(query.query) : toQuestionTokens(query.query);
    const { sql, params } = toCondition(query);
    const found = await index.search({
      tokens,
      vector,
      limit: Math.max(MIN_DEPTH, 2 * query.limit),
      selection: { sql: `SELECT entry FROM memory_entries WHERE ${sql}`, params },
    });
    const known = vector === undefined ? wordsAlone : scale;
    const all = toHits(readCandidates(found, options), tokens, known).filter(({ entry }) => entry.id !== query.except);
    const minScore = isLike ? 0 : (query.min_score ?? known.minScore);
    const fitting = all.filter(
      ({ score, relevance }) => score > 0 && relevance >= minScore && (isLike || relevance > 0),
    );
    const ranks = query.fusion === 'rrf' ? toRanks(found) : undefined;
    const scored = fitting.map((hit) => ({ ...hit, score: ranks?.get(hit.entry.id) ?? hit.score }));
    const hits = scored.sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1)).slice(0, query.limit);
    return { hits, nearest: all.reduce((best, { relevance }) => Math.max(best, relevance), 0) };
  };
}
