import { type Bm25, createBm25, type QueryTokens } from '@contextloom/retrieval/ranking';
import type { Database } from '../../database/open-database.ts';
import { columnDotProduct, columnDotProducts, dotProduct, sparseDotProduct, toNorm } from '../cache/dot-product.ts';
import { createReadEntries, type ReadEntries } from '../cache/entries.ts';
import { BLOCK_ROWS } from '../cache/entry-block.ts';
import { createEntryCache, type EntryBatch, type EntryCache } from '../cache/entry-cache.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { toWordLookup, visitSortedWords, visitWords, type WordLookup } from './words.ts';

/** Stands for the score of a row without a match. */
export const ABSENT = Number.NEGATIVE_INFINITY;
/** All slots of a sealed block are multiplied at once where at least one of so many is wanted. */
const FEW_SLOTS = 4;
/** Stands for the cosine of a vector without a direction: less than that of any other. */
const NO_DIRECTION = -2;

/** Scores by the position of a row in the selection. */
export interface Scores {
  readonly words: Float64Array;
  readonly vector: Float64Array;
}

/** The vector of a query. */
interface QueryVector {
  readonly values: Float64Array;
  /** Its length. */
  readonly norm: number;
  /** The dimensions of `values`: all, or those that are not 0, such as some 60 of the 384 of the lexical embedder for a short text. */
  readonly dimensions: Uint32Array;
  readonly isSparse: boolean;
}

/** Zeros are left out where they are at least half: a product that looks dimensions up takes longer for each. */
function toQueryVector(vector: Float32Array): QueryVector {
  const norm = toNorm(vector);
  const dimensions = Uint32Array.from(vector.keys()).filter((dimension) => vector[dimension] !== 0);
  if (2 * dimensions.length > vector.length) {
    return { values: Float64Array.from(vector), norm, dimensions: Uint32Array.from(vector.keys()), isSparse: false };
  }
  const values = Float64Array.from(dimensions, (dimension) => vector[dimension] ?? 0);
  return { values, norm, dimensions, isSparse: true };
}

/*
 * The loops over all rows are plain functions of their arguments: in closures that each search builds, they took up to seven
 * times as long, since V8 optimised them for one closure and discarded that for the next.
 */

/** The products of a query and the vectors of some slots of a sealed block. */
function toColumnProducts({ block, slots, count }: EntryBatch, { values, dimensions }: QueryVector): Float64Array {
  const products = new Float64Array(BLOCK_ROWS);
  if (FEW_SLOTS * count >= BLOCK_ROWS) {
    columnDotProducts(block.vectors, values, dimensions, products);
    return products;
  }
  for (let at = 0; at < count; at += 1) {
    const row = slots[at] as number;
    products[row] = columnDotProduct(block.vectors, { row, height: BLOCK_ROWS }, values, dimensions);
  }
  return products;
}

/** The products of a query and the vectors of some slots of a block that is not full, or not kept. */
function toRowProducts({ block, slots, count }: EntryBatch, query: QueryVector): Float64Array {
  const { vectors, dimensions: width } = block;
  const { values, dimensions, isSparse } = query;
  const products = new Float64Array(BLOCK_ROWS);
  for (let at = 0; at < count; at += 1) {
    const slot = slots[at] as number;
    products[slot] = isSparse
      ? sparseDotProduct(vectors, slot * width, values, dimensions)
      : dotProduct(vectors, slot * width, values);
  }
  return products;
}

/** Scores a batch by the cosine of its vectors to that of the query. */
function scoreVectors(batch: EntryBatch, query: QueryVector, scores: Float64Array): void {
  const { block, slots, positions, count } = batch;
  const products = block.isSealed ? toColumnProducts(batch, query) : toRowProducts(batch, query);
  for (let at = 0; at < count; at += 1) {
    const slot = slots[at] as number;
    const product = (block.norms[slot] as number) * query.norm;
    if (Number.isNaN(product)) continue;
    scores[positions[at] as number] = product === 0 ? NO_DIRECTION : Math.min(1, (products[slot] as number) / product);
  }
}

/** Finds the words of a query in a batch; passes them to `bm25` and their positions, counted from `first`, to `matched`. */
function findWords({ block, slots, positions, count }: EntryBatch, lookup: WordLookup, bm25: Bm25, matched: Matched) {
  const { words } = block;
  const { found, first } = matched;
  if (words.buckets === undefined) {
    for (let at = 0; at < count; at += 1) {
      if (visitWords(words, slots[at] as number, lookup, bm25)) found.push(first + (positions[at] as number));
    }
    return;
  }
  const positionOf = new Int32Array(words.terms.length);
  for (let at = 0; at < count; at += 1) positionOf[slots[at] as number] = positions[at] as number;
  const slotsFound = visitSortedWords(words, words.buckets, { wanted: slots.subarray(0, count), lookup }, bm25);
  for (let at = 0; at < slotsFound.length; at += 1)
    found.push(first + (positionOf[slotsFound[at] as number] as number));
}

/** The positions of rows with a word of the query, and where the part begins that is looked through. */
interface Matched {
  readonly found: number[];
  readonly first: number;
}

/** What rows are scored by. */
export interface ScoredQuery {
  readonly tokens: QueryTokens;
  readonly vector: Float32Array | undefined;
}

/** The scoring of one selection, part by part. */
export interface Scoring {
  /** Scores the rows that come next. */
  add(rows: readonly number[], read: ReadEntries): void;
  finish(): Scores;
}

/** Begins to score so many rows, each by the same code whether its entry is in memory or read now. */
export function beginScoring(cache: EntryCache, { tokens, vector }: ScoredQuery, count: number): Scoring {
  const bm25 = createBm25(tokens);
  const scores = {
    words: new Float64Array(count).fill(ABSENT),
    vector: new Float64Array(count).fill(ABSENT),
  };
  const found: number[] = [];
  const lookup = toWordLookup(bm25.forms);
  const query = vector && toQueryVector(vector);
  let population = 0;
  let first = 0;
  return {
    add: (rows, read) => {
      const part = scores.vector.subarray(first);
      cache.visit(rows, read, (batch) => {
        population += batch.count;
        findWords(batch, lookup, bm25, { found, first });
        if (query !== undefined) scoreVectors(batch, query, part);
      });
      first += rows.length;
    },
    finish: () => {
      bm25.score(population).forEach((score, at) => {
        scores.words[found[at] ?? 0] = score;
      });
      return scores;
    },
  };
}

/** Scores rows of one generation of the index. */
export type ScoreRows = (rows: readonly number[], query: ScoredQuery, generation: number) => Scores;

/** Builds the scoring of the rows of a database. */
export function createScoreRows(database: Database, definition: IndexDefinition, cacheBytes: number): ScoreRows {
  const cache = createEntryCache(cacheBytes, definition.dimensions);
  const readEntries = createReadEntries(database, definition);
  const newestChange = database.prepare<[], number>(`SELECT max(change) FROM ${definition.name}_changes`).pluck();
  const changedSince = database.prepare<[number], { change: number; row: number }>(
    `SELECT change, row FROM ${definition.name}_changes WHERE change > ? ORDER BY change`,
  );
  let seen = { generation: -1, change: 0 };
  const forgetChanged = (generation: number): void => {
    if (generation !== seen.generation) {
      cache.clear();
      seen = { generation, change: newestChange.get() ?? 0 };
      return;
    }
    for (const { change, row } of changedSince.iterate(seen.change)) {
      cache.forget(row);
      seen = { generation, change };
    }
  };
  return (rows, query, generation) => {
    forgetChanged(generation);
    const scoring = beginScoring(cache, query, rows.length);
    scoring.add(rows, readEntries);
    return scoring.finish();
  };
}
