import { fromPostgresText } from '@contextloom/postgres';
import { toVector } from '@contextloom/sqlite';
import type { DerivableDocument, StoredRecord } from '../../domain/store.ts';
import { type DocumentRow, toDocument, toRecord } from '../sql/rows.ts';

/** A row with its texts as they were given. */
export const toGiven = <Row extends Pick<DocumentRow, 'id' | 'tags' | 'metadata'>>(row: Row): Row => ({
  ...row,
  id: fromPostgresText(row.id),
});

/** A whole document's row with its texts as they were given; those that are JSON have them escaped. */
export const toGivenDocument = <Row extends DocumentRow>(row: Row): Row => ({
  ...toGiven(row),
  content: fromPostgresText(row.content),
});

/** The document of a row and its state. */
export const toGivenRecord = (row: DocumentRow): StoredRecord => toRecord(toGivenDocument(row));

/** A document's row with what is derived of it. */
export interface IndexedRow extends DocumentRow {
  readonly entry: number;
  readonly vector: Buffer | null;
}

/** The columns of {@link IndexedRow} beyond a document's. */
export const INDEX_COLUMNS = 'd.entry, d.vector';

/** A document to derive again. */
export function toDerivable(row: IndexedRow, keepsVector: boolean): DerivableDocument {
  const document = toDocument(toGivenDocument(row));
  return keepsVector && row.vector !== null ? { ...document, vector: toVector(row.vector).slice() } : document;
}

/** The columns of an entry, over `documents d`. */
export const ENTRY_COLUMNS = 'd.entry AS row, d.words, d.vector, d.norm';
