import { ContextloomError } from '@contextloom/contracts';
import type { Collection, Where } from 'chromadb';

/** What can be done with a collection that is known by its id alone. */
export type CollectionHandle = Pick<Collection, 'upsert' | 'update' | 'delete' | 'get' | 'count'>;

/** A row's flat metadata. */
export type RowNotes = Readonly<Record<string, string | number | boolean>>;

/** A row to be written. */
export interface NewRow {
  readonly id: string;
  readonly text: string;
  readonly notes: RowNotes;
  readonly vector: Float32Array;
  /** Keys of the metadata that the row of this id has so far, and loses. */
  readonly lost?: readonly string[];
}

/** A row as it was read: the parts that were not requested are empty; `text` is undefined where another client gave none. */
export interface HitRow {
  readonly id: string;
  readonly text: string | undefined;
  readonly notes: RowNotes;
  readonly vector: Float32Array;
}

/** Parts of a row besides its id. */
export type RowPart = 'documents' | 'metadatas' | 'embeddings';

/** The rows of one collection. Every write is one request, which the server takes whole or not at all. */
export interface Rows {
  /** Writes rows over those of their ids. */
  upsert(rows: readonly NewRow[]): Promise<void>;
  /** Sets keys of the metadata of rows; ids that are not there are left out. */
  mark(changes: readonly { readonly id: string; readonly notes: RowNotes }[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  get(ids: readonly string[], parts: readonly RowPart[]): Promise<readonly HitRow[]>;
  /** The ids of all rows, or of those that meet a condition. */
  list(where?: Where): Promise<readonly string[]>;
  /** Reads the vector of one row, whichever comes first: fails where the server has lost its vectors. */
  probe(): Promise<void>;
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

/**
 * The metadata of a row that replaces another: an upsert merges, and the server removes a key whose value is null. The client
 * leaves nulls out, but writes NaN, which JSON turns into null.
 */
function toMetadata({ notes, lost = [] }: NewRow): Record<string, string | number | boolean> {
  return { ...Object.fromEntries(lost.map((key) => [key, Number.NaN])), ...notes };
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

function inParts<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / MAX_IDS);
  return Array.from({ length: count }, (_, at) => items.slice(at * MAX_IDS, (at + 1) * MAX_IDS));
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
  const getSome = async (ids: readonly string[], parts: readonly RowPart[]): Promise<readonly HitRow[]> => {
    const hits = await call(() => collection.get({ ids: [...ids], include: [...parts] }));
    return hits.ids.map((id, at) => ({
      id,
      text: hits.documents[at] ?? undefined,
      notes: (hits.metadatas[at] ?? {}) as RowNotes,
      vector: hits.embeddings[at] === undefined ? noVector : Float32Array.from(hits.embeddings[at]),
    }));
  };
  return {
    upsert: async (rows) => {
      refuseTooLarge(rows);
      await refuseTooMany(rows.length);
      await call(() =>
        collection.upsert({
          ids: rows.map(({ id }) => id),
          documents: rows.map(({ text }) => text),
          metadatas: rows.map(toMetadata),
          embeddings: rows.map(({ vector }) => [...vector]),
        }),
      );
    },
    mark: async (changes) => {
      const [ids, metadatas] = [changes.map(({ id }) => id), changes.map(({ notes }) => ({ ...notes }))];
      await call(() => collection.update({ ids, metadatas }));
    },
    remove: async (ids) => {
      for (const some of inParts(ids)) await call(() => collection.delete({ ids: [...some] }));
    },
    get: async (ids, parts) => {
      const hits: HitRow[] = [];
      for (const some of inParts(ids)) hits.push(...(await getSome(some, parts)));
      return hits;
    },
    list: async (where) => (await call(() => collection.get({ include: [], ...(where && { where }) }))).ids,
    probe: async () => {
      await call(() => collection.get({ include: ['embeddings'], limit: 1 }));
    },
    count: () => call(() => collection.count()),
  };
}
