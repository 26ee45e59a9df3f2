import type { StoredDocument } from '@contextloom/contracts';
import type { HitRow, RowPart, Rows } from './collection.ts';
import { toState } from './rows.ts';

/** A document in a row, and its vector; null while it waits for one of this program's embedder. */
export interface RowDocument {
  readonly document: StoredDocument;
  readonly vector: Float32Array | null;
}

/** What a row says of the state that its document is in. */
export interface RowState {
  readonly row: string;
  readonly state: string;
  readonly isWaiting: boolean;
}

/** What the rows of a collection hold: the truth that the index is made of. */
export interface RowSource {
  /** Whether the vectors are of this program's embedder. */
  readonly hasOwnVectors: boolean;
  /** The state of each document, by its id, and the ids of rows that hold none. */
  readStates(): Promise<{ readonly states: ReadonlyMap<string, RowState>; readonly others: readonly string[] }>;
  read(rows: readonly string[]): Promise<readonly RowDocument[]>;
}

/** How rows are read. */
export interface RowReading {
  /** The document of a row; `none` of a row that is no document any more, undefined of another client's. */
  readonly parse: (row: HitRow) => StoredDocument | 'none' | undefined;
  /** The key that is true while a row waits for its vector. */
  readonly waitingKey: string;
  readonly hasOwnVectors: boolean;
}

/** Rows that are read in one request, without and with their vectors. */
const PAGE = 5_000;
const BATCH = 200;

/** Reads the documents of a collection's rows. */
export function toRowSource(rows: Rows, { parse, waitingKey, hasOwnVectors }: RowReading): RowSource {
  async function* readInBatches(ids: readonly string[], size: number, parts: readonly RowPart[]) {
    for (let from = 0; from < ids.length; from += size) {
      for (const row of await rows.get(ids.slice(from, from + size), parts)) yield { row, document: parse(row) };
    }
  }
  const isWithout = ({ notes }: HitRow): boolean => notes[waitingKey] === true;
  return {
    hasOwnVectors,
    readStates: async () => {
      const states = new Map<string, RowState>();
      const others: string[] = [];
      for await (const { row, document } of readInBatches(await rows.list(), PAGE, ['metadatas'])) {
        if (document === undefined) others.push(row.id);
        else if (document !== 'none')
          states.set(document.id, { row: row.id, state: toState(document), isWaiting: isWithout(row) });
      }
      return { states, others };
    },
    read: async (ids) => {
      const texts: readonly RowPart[] = ['documents', 'metadatas'];
      const documents: RowDocument[] = [];
      for await (const { row, document } of readInBatches(
        ids,
        BATCH,
        hasOwnVectors ? [...texts, 'embeddings'] : texts,
      )) {
        if (document === undefined || document === 'none') continue;
        documents.push({ document, vector: hasOwnVectors && !isWithout(row) ? row.vector : null });
      }
      return documents;
    },
  };
}
