import { ContextloomError, type StoredDocument } from '@contextloom/contracts';
import type { Where } from 'chromadb';
import { type SortKey, sortKeys, valueAt } from '../../../domain/documents/order.ts';
import type { DocumentStore, ListPosition, Selection, Visibility } from '../../../domain/store.ts';
import type { Session } from '../connection/session.ts';
import type { Rows } from '../rows/collection.ts';
import { isWaiting, type StoredRow, toRecord, toSlots, toStoredDocument, toStoredRow } from '../rows/rows.ts';
import { isEmpty, type Numbers, toSelectionWhere } from '../rows/where.ts';
import { isSelected } from './selected.ts';

/** Up to so many rows come in one answer; of more, ids come first, and then the rows in pieces of this size. */
const MAX_ROWS_AT_ONCE = 5_000;

/** How often a page is read again because one of its documents changed meanwhile. */
const MAX_READINGS = 20;

/** What the reading half works with. */
export interface ReaderOptions {
  readonly session: Session;
  readonly numbers: Numbers;
}

/** Reads the metadata of all rows that a filter of the engine leaves. */
async function readAll(rows: Rows, where: Where | undefined): Promise<readonly StoredRow[]> {
  const first = await rows.get({ where, limit: MAX_ROWS_AT_ONCE }, ['metadatas']);
  if (first.length < MAX_ROWS_AT_ONCE) return first.map(toStoredRow);
  const ids = (await rows.get({ where }, [])).map(({ id }) => id);
  const stored: StoredRow[] = [];
  for (let from = 0; from < ids.length; from += MAX_ROWS_AT_ONCE) {
    const found = await rows.get({ ids: ids.slice(from, from + MAX_ROWS_AT_ONCE) }, ['metadatas']);
    for (const row of found) stored.push(toStoredRow(row));
  }
  return stored;
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Ids in the order of their UTF-8 bytes, which is SQLite's. */
export function compareIds(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const toPosition = ({ document: id, head }: StoredRow): ListPosition => {
  const { importance, time, updated_at: updatedAt } = head;
  return { id, importance: importance ?? undefined, time, updatedAt };
};

/** Compares positions by the keys of an order, in turn, and last by id. */
const createComparePositions =
  (keys: readonly SortKey[]) =>
  (a: ListPosition, b: ListPosition): number => {
    for (const key of keys) {
      const order = compare(valueAt(a, key), valueAt(b, key));
      if (order !== 0) return key.isFalling ? -order : order;
    }
    return compareIds(a.id, b.id);
  };

/** The reading half of the store, but for searches. */
export function createReader({ session, numbers }: ReaderOptions): Pick<DocumentStore, 'read' | 'list' | 'stats'> {
  const readSelected = async (rows: Rows, selection: Selection): Promise<readonly StoredRow[]> => {
    if (isEmpty(selection)) return [];
    const stored = await readAll(rows, toSelectionWhere(selection, numbers));
    return stored.filter((row) => isSelected(row, selection));
  };

  /** The documents of rows, in their order; `undefined` when one was replaced or removed since its row was read. */
  const withTexts = async (
    rows: Rows,
    stored: readonly StoredRow[],
  ): Promise<readonly StoredDocument[] | undefined> => {
    if (stored.length === 0) return [];
    const found = await rows.get({ ids: stored.map(({ id }) => id) }, ['metadatas', 'documents']);
    const byId = new Map(found.map(toStoredRow).map((row) => [row.id, row]));
    const documents = stored.flatMap(({ id, nonce }) => {
      const row = byId.get(id);
      return row?.state === 'live' && row.nonce === nonce ? [toStoredDocument(row)] : [];
    });
    return documents.length === stored.length ? documents : undefined;
  };

  const list: DocumentStore['list'] = (
    selection,
    { limit, after, sort = 'relevance', range: { from = -Infinity, to = Infinity } = {} },
  ) => {
    const comparePositions = createComparePositions(sortKeys[sort]);
    return session.run(async (rows) => {
      for (let tries = 0; tries < MAX_READINGS; tries += 1) {
        const found = (await readSelected(rows, selection))
          .map((row) => ({ row, position: toPosition(row) }))
          .filter(({ position: { time } }) => time >= from && time < to);
        const sorted = found.sort((a, b) => comparePositions(a.position, b.position));
        const rest = after === undefined ? sorted : sorted.filter((one) => comparePositions(one.position, after) > 0);
        const page = rest.slice(0, limit).map(({ row }) => row);
        const documents = await withTexts(rows, page);
        if (documents !== undefined) return { documents, total: sorted.length, more: rest.length > limit };
      }
      throw new ContextloomError('unavailable', 'the documents are being changed by others; try again');
    });
  };

  const read: DocumentStore['read'] = (ids, selection) =>
    session.run(async (rows) => {
      if (ids.length === 0 || isEmpty(selection)) return [];
      const found = await rows.get({ ids: [...new Set(ids)].flatMap(toSlots) }, ['metadatas', 'documents']);
      return found
        .map(toStoredRow)
        .filter((row) => isSelected(row, selection))
        .map(toRecord);
    });

  const stats: DocumentStore['stats'] = (visible: Visibility) =>
    session.run(async (rows) => {
      const stored = await readSelected(rows, { visible, condition: { test: 'always' } });
      const tags = [...new Set(stored.flatMap(({ head }) => head.tags))].sort();
      return { documents: stored.length, vectors: stored.filter((row) => !isWaiting(row)).length, tags };
    });

  return { list, read, stats };
}
