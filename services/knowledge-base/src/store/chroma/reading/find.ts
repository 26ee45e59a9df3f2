import { cosineSimilarity } from '@contextloom/retrieval';
import { type QueryTokens, rankBm25 } from '@contextloom/retrieval/ranking';
import type { Where } from 'chromadb';
import { toOrder } from '../../../domain/documents/order.ts';
import { toPlace } from '../../../domain/documents/places.ts';
import { MAX_ROWS_READ } from '../../../domain/search/tuning.ts';
import type { Candidate, DocumentStore, Hit, Hits, Selection } from '../../../domain/store.ts';
import type { Session } from '../connection/session.ts';
import type { Rows } from '../rows/collection.ts';
import { isWaiting, parseText, type StoredRow, toStoredDocument, toStoredRow } from '../rows/rows.ts';
import { isEmpty, type Numbers, toOwnersWhere, toSelectionWhere } from '../rows/where.ts';
import { createFindByWords, holdsSome } from './find-by-words.ts';
import { compareIds } from './reader.ts';
import { isSelected } from './selected.ts';

/**
 * Up to so many rows are fetched with their vectors and ranked here, exactly; of more, the engine's index gives the nearest.
 * Measured by `npm run bench:switch` in 50,000 rows: ranking here is 3.7 times as fast at 100 rows, both take the same at
 * about 750, and the index is 1.7 times as fast at 2,000.
 */
const MAX_ROWS_EXACT = 750;
/** The most rows to ask the engine's index for when many of the nearest are not in the selection. */
const MAX_NEAREST = 10_000;

/** How often rows are read again because one of them changed in between. */
const MAX_READINGS = 3;

/** The parts of a search. */
export interface FindOptions {
  readonly session: Session;
  readonly numbers: Numbers;
  /** Up to so many rows are ranked here instead of by the engine. */
  readonly maxRowsExact?: number;
  /** Rejects when the engine has lost its index: it then answers searches with few rows or none. */
  readonly probe: (rows: Rows) => Promise<void>;
}

interface Query {
  readonly tokens: QueryTokens;
  readonly vector: Float32Array | undefined;
}

const toCandidate = ({ document: id, head: { tags, metadata, importance, time } }: StoredRow): Candidate => ({
  id,
  tags,
  time,
  place: toPlace(metadata),
  happened: toOrder(metadata).time,
  importance: importance ?? undefined,
});
/** Of a row that was read with its text. */
const toReadFound = (row: StoredRow, score: number): Hit => ({
  candidate: { ...toCandidate(row), document: toStoredDocument(row) },
  score,
});

/** Distances are the engines' own: none for a vector of zeros, which then comes last. */
function rankByVector(rows: readonly StoredRow[], vector: Float32Array, limit: number): readonly Hit[] {
  const hasDirection = (one: Float32Array): boolean => one.some((x) => x !== 0);
  const isAnywhere = hasDirection(vector);
  const similarityOf = ({ found }: StoredRow): number =>
    isAnywhere && hasDirection(found.vector) ? cosineSimilarity(found.vector, vector) : Number.NEGATIVE_INFINITY;
  return rows
    .filter((row) => !isWaiting(row))
    .map((row) => ({ row, similarity: similarityOf(row) }))
    .sort(
      (a, b) =>
        (a.similarity === b.similarity ? 0 : b.similarity - a.similarity) || compareIds(a.row.document, b.row.document),
    )
    .slice(0, limit)
    .map(({ row, similarity }) => toReadFound(row, Math.max(0, similarity)));
}

function rankExactly(rows: readonly StoredRow[], { tokens, vector }: Query, limit: number): Hits {
  const worded = rows.map((row) => ({ row, id: row.document, ...parseText(row.found.text) }));
  const scored = rows.length <= MAX_ROWS_READ ? worded : worded.filter((row) => holdsSome(row, tokens));
  const byWords = rankBm25(scored, tokens, rows.length, limit).map(({ row, score }) => toReadFound(row, score));
  return { byWords, byVector: vector === undefined ? [] : rankByVector(rows, vector, limit) };
}

/**
 * Reads the rows that a filter leaves, if they are at most `limit`: their ids first, since the rest is much for nothing if
 * they are more. A row that is gone or dead then was replaced meanwhile, by one that these ids do not name.
 */
async function readAtMost(
  rows: Rows,
  where: Where | undefined,
  limit: number,
): Promise<readonly StoredRow[] | undefined> {
  for (let tries = 1; ; tries += 1) {
    const ids = await rows.get({ where, limit: limit + 1 }, []);
    if (ids.length > limit) return undefined;
    const asked = ids.map(({ id }) => id);
    const found = (await rows.get({ ids: asked }, ['metadatas', 'documents', 'embeddings'])).map(toStoredRow);
    const isOfOneMoment = found.length === ids.length && found.every(({ state }) => state !== 'dead');
    if (isOfOneMoment || tries === MAX_READINGS) return found;
  }
}

/**
 * All rows of the selection with their vectors, if they are few; the owners' rows are asked for alone, which is the cheapest
 * filter.
 */
async function readIfFew(
  rows: Rows,
  selection: Selection,
  { numbers, maxRowsExact = MAX_ROWS_EXACT }: FindOptions,
): Promise<readonly StoredRow[] | undefined> {
  const byOwner = toOwnersWhere(selection.visible);
  const narrowed = toSelectionWhere(selection, numbers);
  const hasMore = JSON.stringify(byOwner) !== JSON.stringify(narrowed);
  for (const where of [byOwner, ...(hasMore ? [narrowed] : [])]) {
    if (where === undefined && (await rows.count()) > maxRowsExact) continue;
    const found = await readAtMost(rows, where, maxRowsExact);
    if (found !== undefined) return found.filter((row) => isSelected(row, selection));
  }
  return undefined;
}

/** Builds the search by words and by nearness. */
export function createFind(options: FindOptions): DocumentStore['find'] {
  const { session, numbers, probe } = options;
  const findByWords = createFindByWords();
  const findNearest = async (rows: Rows, { vector }: Query, selection: Selection, limit: number) => {
    if (vector === undefined) return [];
    const where = toSelectionWhere(selection, numbers);
    for (let asked = limit; ; asked = Math.min(MAX_NEAREST, asked * 4)) {
      const found = await rows.nearest(vector, where, asked);
      const selected = found
        .map(({ row, similarity }) => ({ row: toStoredRow(row), score: Math.max(0, similarity) }))
        .filter(({ row }) => !isWaiting(row) && isSelected(row, selection));
      if (selected.length >= limit || found.length < asked || asked === MAX_NEAREST) {
        if (selected.length < limit) await probe(rows);
        return selected.slice(0, limit).map(({ row, score }) => ({ candidate: toCandidate(row), score }));
      }
    }
  };
  return (query, selection, limit) =>
    session.run(async (rows) => {
      if (isEmpty(selection)) return { byWords: [], byVector: [] };
      const few = await readIfFew(rows, selection, options);
      if (few !== undefined) return rankExactly(few, query, limit);
      const [byWords, byVector] = await Promise.all([
        findByWords(rows, query.tokens, { selection, where: toSelectionWhere(selection, numbers), limit }),
        findNearest(rows, query, selection, limit),
      ]);
      return { byWords: byWords.map(({ row, score }) => toReadFound(row, score)), byVector };
    });
}
