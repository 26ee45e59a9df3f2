import { ContextloomError } from '@contextloom/contracts';
import type { Collection, Where } from 'chromadb';

/** What can be done with a collection that is known by its id alone. */
export type CollectionHandle = Pick<Collection, 'add' | 'update' | 'delete' | 'get' | 'query' | 'count'>;

/** A row's flat metadata. */
export type RowNotes = Readonly<Record<string, string | number | boolean>>;

/** A row to be written. */
export interface NewRow {
  readonly id: string;
  readonly text: string;
  readonly notes: RowNotes;
  readonly vector: Float32Array;
}

/** A row as it was read: the parts that were not asked for are empty. */
export interface HitRow {
  readonly id: string;
  readonly text: string;
  readonly notes: RowNotes;
  readonly vector: Float32Array;
}

/** A row that the engine's index found near a vector, and the cosine of both. */
export interface NearRow {
  readonly row: HitRow;
  readonly similarity: number;
}

/** Which rows a reading is about: all conditions must hold. */
export interface RowQuery {
  readonly ids?: readonly string[];
  readonly where?: Where | undefined;
  /** A regular expression that the text has to contain. */
  readonly pattern?: string;
  readonly limit?: number;
  /** How many rows are passed over, in the order in which they were added. */
  readonly offset?: number;
}

/** Parts of a row besides its id. */
export type RowPart = 'documents' | 'metadatas' | 'embeddings';

/** The rows of one collection. Every write is one request, which the server takes whole or not at all. */
export interface Rows {
  /** Adds rows; one whose id is taken is left out. */
  add(rows: readonly NewRow[]): Promise<void>;
  /** Sets keys of the metadata of rows; ids that are not there are left out. */
  mark(changes: readonly { readonly id: string; readonly notes: RowNotes }[]): Promise<void>;
  /** Sets the vectors of rows, and keys of their metadata; ids that are not there are left out. */
  setVectors(changes: readonly Pick<NewRow, 'id' | 'notes' | 'vector'>[]): Promise<void>;
  /** Removes rows, or those of them that meet a condition. */
  remove(ids: readonly string[], where?: Where): Promise<void>;
  get(query: RowQuery, parts: readonly RowPart[]): Promise<readonly HitRow[]>;
  /** The rows near a vector by the engine's index, nearest first, without their texts. */
  nearest(vector: Float32Array, where: Where | undefined, limit: number): Promise<readonly NearRow[]>;
  count(): Promise<number>;
}

/** Most ids of one request: SQLite, which the server stands on, takes 32,766 variables. */
const MAX_IDS = 10_000;
/** Below the 40 MiB that the server takes as one request. */
const MAX_BYTES = 36 * 1024 * 1024;
/** A number of a vector takes at most so many characters of JSON. */
const BYTES_A_NUMBER = 14;

function sizeOf({ id, text, notes, vector }: NewRow): number {
  return Buffer.byteLength(JSON.stringify([id, text, notes])) + BYTES_A_NUMBER * vector.length;
}

function refuseTooLarge(rows: readonly NewRow[]): void {
  if (rows.reduce((sum, row) => sum + sizeOf(row), 0) <= MAX_BYTES) return;
  const limit = MAX_BYTES / 1024 / 1024;
  throw new ContextloomError(
    'too_large',
    `documents that are written together may take up ${limit} MiB in Chroma: send fewer`,
  );
}

const noVector = new Float32Array();

/** What the rows of a collection are reached by. */
export interface CollectionOptions {
  readonly collection: CollectionHandle;
  /** Runs each request. */
  readonly call: <T>(work: () => Promise<T>) => Promise<T>;
  /** The most rows that the server takes in one request. */
  readonly maxBatch: () => Promise<number>;
}

/** The rows of a collection. */
export function createCollectionRows({ collection, call, maxBatch }: CollectionOptions): Rows {
  const refuseTooMany = async (count: number): Promise<void> => {
    const limit = await call(maxBatch);
    if (limit < 0 || count <= limit) return; // A server that says nothing has no limit.
    throw new ContextloomError(
      'too_large',
      `Chroma takes ${limit} rows at once, and this would be ${count}: send fewer documents`,
    );
  };
  const getSome = async (
    { ids, where, pattern, limit, offset }: RowQuery,
    parts: readonly RowPart[],
  ): Promise<HitRow[]> => {
    const found = await call(() =>
      collection.get({
        include: [...parts],
        ...(ids !== undefined && { ids: [...ids] }),
        ...(where !== undefined && { where }),
        ...(pattern !== undefined && { whereDocument: { $regex: pattern } }),
        ...(limit !== undefined && { limit }),
        ...(offset !== undefined && { offset }),
      }),
    );
    return found.ids.map((id, at) => ({
      id,
      text: found.documents[at] ?? '',
      notes: (found.metadatas[at] ?? {}) as RowNotes,
      vector: found.embeddings[at] === undefined ? noVector : Float32Array.from(found.embeddings[at]),
    }));
  };
  return {
    add: async (rows) => {
      refuseTooLarge(rows);
      await refuseTooMany(rows.length);
      await call(() =>
        collection.add({
          ids: rows.map(({ id }) => id),
          documents: rows.map(({ text }) => text),
          metadatas: rows.map(({ notes }) => ({ ...notes })),
          embeddings: rows.map(({ vector }) => [...vector]),
        }),
      );
    },
    mark: async (changes) => {
      await refuseTooMany(changes.length);
      const [ids, metadatas] = [changes.map(({ id }) => id), changes.map(({ notes }) => ({ ...notes }))];
      await call(() => collection.update({ ids, metadatas }));
    },
    setVectors: async (changes) => {
      await refuseTooMany(changes.length);
      const [ids, metadatas] = [changes.map(({ id }) => id), changes.map(({ notes }) => ({ ...notes }))];
      await call(() => collection.update({ ids, metadatas, embeddings: changes.map(({ vector }) => [...vector]) }));
    },
    remove: async (ids, where) => {
      await call(() => collection.delete({ ids: [...ids], ...(where !== undefined && { where }) }));
    },
    get: async (query, parts) => {
      const { ids } = query;
      if (ids === undefined) return getSome(query, parts);
      const found: HitRow[] = [];
      for (let from = 0; from < ids.length; from += MAX_IDS) {
        found.push(...(await getSome({ ...query, ids: ids.slice(from, from + MAX_IDS) }, parts)));
      }
      return found;
    },
    nearest: async (vector, where, limit) => {
      const found = await call(() =>
        collection.query({
          queryEmbeddings: [[...vector]],
          nResults: limit,
          include: ['metadatas', 'distances'],
          ...(where !== undefined && { where }),
        }),
      );
      const [ids = [], metadatas = [], distances = []] = [found.ids[0], found.metadatas[0], found.distances[0]];
      return ids.map((id, at) => ({
        row: { id, text: '', notes: (metadatas[at] ?? {}) as RowNotes, vector: noVector },
        similarity: 1 - (distances[at] ?? 1),
      }));
    },
    count: () => call(() => collection.count()),
  };
}
