import type { EntryHit } from '@contextloom/contracts/agent-memory';
import {
  type RelevanceScale,
  rankTexts,
  readSearchQuery,
  type SearchQuery,
  toEmbeddedQuery,
  toQueryTokens,
  wordsAlone,
} from '@contextloom/retrieval/ranking';
import type { HybridHit, HybridHits, HybridIndex } from '@contextloom/sqlite';
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

/** What is looked for; the like of an entry shares any words with it. */
function toSearchQuery({ query, except }: IndexQuery): SearchQuery {
  const read = readSearchQuery(query);
  if (except === undefined) return read;
  const tokens = toQueryTokens(query);
  return { ...read, tokens, soughtTokens: tokens, isEmpty: false };
}

/** A hit as the design of this memory has it: with the cosine, the share that its words have of the best, and a sum of both. */
function toHit({ hit: { vector, words }, row }: Candidate, relevance: number, mostWords: number): EntryHit {
  const text = words / mostWords;
  const score = 0.7 * vector + 0.3 * text;
  return { entry: toMemoryEntry(row), score, relevance, vector_score: vector, text_score: text };
}

/** Builds the search of entries: those of both lists, in the order that every store has. */
export function createEntrySearch(options: EntrySearchOptions): (query: IndexQuery) => Promise<FoundEntries> {
  const { index, embedQuery, scale } = options;
  return async (query) => {
    const search = toSearchQuery(query);
    const vector = await embedQuery(
      query.except === undefined ? toEmbeddedQuery(query.query, search, scale) : query.query,
    );
    const { sql, params } = toCondition(query);
    const found = await index.search({
      tokens: search.tokens,
      vector,
      limit: Math.max(MIN_DEPTH, 2 * query.limit),
      selection: { sql: `SELECT entry FROM memory_entries WHERE ${sql}`, params },
    });
    const candidates = new Map(
      readCandidates(found, options).flatMap((one) =>
        one.row.id === query.except ? [] : [[one.hit.key, one] as const],
      ),
    );
    const texts = Array.from(
      candidates,
      ([
        id,
        {
          hit: { words, vector: cosine },
          row,
        },
      ]) => ({
        id,
        text: toIndexedText(row),
        words,
        cosine: vector && cosine,
      }),
    );
    const known = vector === undefined ? wordsAlone : scale;
    const { hits, nearest } = rankTexts(search, texts, { scale: known, minScore: query.min_score });
    const mostWords = found.byWords[0]?.words ?? 1;
    const first = hits.slice(0, query.limit).flatMap(({ id, relevance }) => {
      const candidate = candidates.get(id);
      return candidate === undefined ? [] : toHit(candidate, relevance, mostWords);
    });
    return { hits: first, nearest };
  };
}
