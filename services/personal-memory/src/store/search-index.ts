import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type RelevanceScale, rankTexts, wordsAlone } from '@contextloom/retrieval/ranking';
import { createLazy } from '@contextloom/runtime/scheduling';
import {
  createHybridIndex,
  type HybridHits,
  type HybridIndex,
  type IndexDefinition,
  type IndexedDatabase,
  type SqlPart,
} from '@contextloom/sqlite';
import { round } from '../domain/numbers.ts';
import type { Searchable, TextQuery } from '../domain/store.ts';

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

/** The search index of one table. */
export interface SearchIndex {
  /** Rebuilds the index if another embedder built it; resolves when it can be searched. */
  ready(): Promise<void>;
  /** Inside the transaction that writes the row. */
  put(row: number, text: Searchable): void;
  /** Makes the vectors of texts that were stored without one, as far as the embedder can be reached; answers how many. */
  embedWaiting(): Promise<number>;
  /** How many texts have no vector yet. */
  countWaiting(): number;
  search(query: TextQuery, selection: SqlPart): Promise<FoundRows>;
}

/** What an index is made from. */
export interface SearchIndexOptions {
  readonly indexed: IndexedDatabase;
  readonly definition: IndexDefinition;
  /** What relevance means with the embedder. */
  readonly scale?: RelevanceScale | undefined;
  /** The text of a row; undefined for a deleted row. */
  readonly textOf: (row: number) => string | undefined;
  readonly toSearchable: (text: string) => Promise<Searchable>;
}

/** Most rows of each list that are held against a question. */
const MAX_READ = 200;
/** Rows whose vectors are made and written together. */
const BATCH = 32;

/** The rows that have words, the best with 1. */
function toRowHits({ byWords }: HybridHits): readonly RowHit[] {
  const most = byWords[0]?.words ?? 1;
  return byWords.map(({ row, words }) => ({ row, score: round(words / most, 3) }));
}

/** The rows of both lists that fit the question, best first. */
function rankRows(
  { byWords, byVector }: HybridHits,
  { text, question, limit }: TextQuery & { readonly question: NonNullable<TextQuery['question']> },
  { textOf, scale }: SearchIndexOptions,
): FoundRows {
  const hits = [...new Map([...byWords, ...byVector].map((hit) => [hit.row, hit])).values()];
  const texts = hits.map(({ row, words, vector }) => ({
    id: String(row),
    text: textOf(row) ?? '',
    words,
    cosine: text.vector === undefined ? undefined : vector,
  }));
  const options = { scale: text.vector === undefined ? wordsAlone : scale, minScore: question.minScore };
  const { hits: fitting, nearest } = rankTexts(question, texts, options);
  const first = fitting.slice(0, limit).map(({ id, relevance }) => ({ row: Number(id), score: relevance }));
  return { hits: first, nearest: round(nearest, 3) };
}

function createReady(index: HybridIndex, { textOf, toSearchable }: SearchIndexOptions): () => Promise<void> {
  const derive = (rows: readonly number[]) =>
    Promise.all(
      rows.map(async (row) => {
        const text = textOf(row);
        if (text === undefined) return [];
        const { tokens, vector } = await toSearchable(text);
        return [{ row, entry: index.toEntry(tokens, vector ?? null) }];
      }),
    ).then((derived) => derived.flat());
  const prepare = async (): Promise<void> => {
    if (!(await index.claim())) await index.upgrade({ derive });
  };
  return createLazy(prepare).get;
}

/** A text refused by the embedder stays without a vector; while the embedder is out of reach, all do. */
function createEmbedWaiting(index: HybridIndex, { indexed, textOf, toSearchable }: SearchIndexOptions) {
  const embed = async (row: number) => {
    const text = textOf(row);
    if (text === undefined) return [];
    try {
      return [{ row, text, searchable: await toSearchable(text) }];
    } catch (error) {
      if (isContextloomError(error)) return [];
      throw error;
    }
  };
  return async (): Promise<number> => {
    let made = 0;
    for (let rows = index.withoutVector(BATCH); rows.length > 0; rows = index.withoutVector(BATCH, rows.at(-1))) {
      const embedded = (await Promise.all(rows.map(embed))).flat();
      made += await indexed.transactions.run(() => {
        index.check();
        // What changed meanwhile has another vector, or waits for one.
        const same = embedded.filter(({ row, text }) => textOf(row) === text);
        const known = same.filter(({ searchable }) => searchable.vector !== undefined);
        for (const { row, searchable } of known) index.put(row, index.toEntry(searchable.tokens, searchable.vector));
        return known.length;
      });
      if (embedded.some(({ searchable }) => searchable.vector === undefined)) return made;
    }
    return made;
  };
}

/** Builds the search index of a table. */
export function createSearchIndex(options: SearchIndexOptions): SearchIndex {
  const { indexed, definition } = options;
  const toMismatchError = (): ContextloomError =>
    new ContextloomError('unavailable', 'a server with another embedder has indexed this memory: restart this one');
  const index = createHybridIndex({ indexed, definition, toMismatchError });
  const ready = createReady(index, options);
  const embedWaiting = createEmbedWaiting(index, options);
  return {
    ready,
    embedWaiting: async () => {
      await ready();
      return embedWaiting();
    },
    countWaiting: () => index.countWithoutVector(),
    put: (row, { tokens, vector }) => {
      index.check();
      index.put(row, index.toEntry(tokens, vector ?? null));
    },
    search: async (query, selection) => {
      const { text, question, limit } = query;
      const tokens = question?.tokens ?? text.tokens;
      const depth = question === undefined ? limit : Math.min(limit, MAX_READ);
      const hits = await index.search({ tokens, vector: text.vector, selection, limit: depth });
      if (question !== undefined) return rankRows(hits, { ...query, question }, options);
      return { hits: toRowHits(hits), nearest: 0 };
    },
  };
}
