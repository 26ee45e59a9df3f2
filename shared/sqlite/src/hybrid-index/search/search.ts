import { kthLargest, type QueryTokens } from '@contextloom/retrieval/ranking';
import type { Database } from '../../database/open-database.ts';
import { toVectorBlob } from '../../vectors.ts';
import { createFingerprintRecord } from '../upkeep/fingerprint.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { ABSENT, createScoreRows, type Scores } from './score-rows.ts';
import { createReadSelection, type SqlPart } from './selections.ts';

export type { SqlPart };

/** What is searched for, and where. */
export interface HybridQuery {
  readonly tokens: QueryTokens;
  /** Absent for a search by words alone. */
  readonly vector: Float32Array | undefined;
  /** A query for the rows to search, each once, as its only column. */
  readonly selection: SqlPart;
  /** Most hits by words, and by vector. */
  readonly limit: number;
}

/** A row that was found. */
export interface HybridHit {
  readonly row: number;
  readonly key: string;
  /** Its BM25 score among the rows of the selection; 0 when it has no word of the query. */
  readonly words: number;
  /** Its cosine to the query's vector; 0 without one or where it is negative. */
  readonly vector: number;
}

/** The best rows by words (those with a word of the query) and by vector, each best first; ties by key. */
export interface HybridHits {
  readonly byWords: readonly HybridHit[];
  readonly byVector: readonly HybridHit[];
}

/** Searches an index; each call sees one state of it. */
export type SearchIndex = (query: HybridQuery) => HybridHits;

/** The positions of all scores that can be among the `limit` best, however ties are resolved. */
function toBest(scores: Float64Array, limit: number): readonly number[] {
  const bound = kthLargest(scores, limit);
  const best: number[] = [];
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] as number;
    if (score >= bound && score !== ABSENT) best.push(position);
  }
  return best;
}

/** The rows that may be among the best, and the hits once their keys are known. */
export interface BestRows {
  readonly rows: readonly number[];
  readonly toHits: (keys: ReadonlyMap<number, string>) => HybridHits;
}

/** Picks the best of scored rows, by words and by vector. */
export function toBestRows(rows: readonly number[], { words, vector }: Scores, limit: number): BestRows {
  const best = [words, vector].map((scores) => toBest(scores, limit));
  return {
    rows: [...new Set(best.flat())].map((position) => rows[position] ?? 0),
    toHits: (keys) => {
      const [byWords = [], byVector = []] = [words, vector].map((scores, at) =>
        (best[at] ?? [])
          .map((position) => ({ position, score: scores[position] ?? 0, key: keys.get(rows[position] ?? 0) ?? '' }))
          .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
          .slice(0, limit)
          .map(({ position, key }) => ({
            row: rows[position] ?? 0,
            key,
            words: Math.max(0, words[position] ?? 0),
            vector: Math.max(0, vector[position] ?? 0),
          })),
      );
      return { byWords, byVector };
    },
  };
}

/**
 * Builds the search of an index over one connection, which keeps at most `cacheBytes` of what it reads in memory.
 * @throws ContextloomError by each search: `unavailable` when something else derived the index, `internal` for a vector of
 * other dimensions
 */
export function createSearchIndex(database: Database, definition: IndexDefinition, cacheBytes: number): SearchIndex {
  const { name, row, key } = definition.table;
  const record = createFingerprintRecord(database, definition);
  const readSelection = createReadSelection(database);
  const score = createScoreRows(database, definition, cacheBytes);
  const readKeys = database.prepare<[string], { row: number; key: string }>(
    `SELECT t.${row} AS row, t.${key} AS key FROM json_each(?) asked CROSS JOIN ${name} t ON t.${row} = asked.value`,
  );

  const toHits = (rows: readonly number[], scores: Scores, limit: number): HybridHits => {
    const best = toBestRows(rows, scores, limit);
    const keys = new Map(readKeys.all(JSON.stringify(best.rows)).map((one) => [one.row, one.key]));
    return best.toHits(keys);
  };
  const search: SearchIndex = (query) => {
    record.check();
    if (query.vector !== undefined) toVectorBlob(query.vector, definition.dimensions); // Refuses one of other dimensions.
    const rows = readSelection(query.selection);
    return toHits(rows, score(rows, query, record.generation()), query.limit);
  };
  return database.transaction(search);
}
