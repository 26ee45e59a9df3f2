import { type HybridIndex, type Reading, toVector } from '@contextloom/sqlite';
import type { DocumentStore, ExportedDocument } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toStoredDocument } from './rows.ts';
import { INDEXED } from './schema.ts';

interface VectorRow extends DocumentRow {
  readonly vector: Buffer | null;
}

const NEWEST = { sql: 'SELECT coalesce(max(doc), 0) AS doc FROM documents', params: [] };
const NEXT = `SELECT ${DOCUMENT_COLUMNS}, e.vector FROM documents d JOIN ${INDEXED.name}_entries e ON e.row = d.doc
  WHERE d.doc > ? AND d.doc <= ? ORDER BY d.doc LIMIT ?`;

/** Builds the function that gives every document with its vector, in the order of the rows' own keys. */
export function createScan(reading: Reading, index: HybridIndex): DocumentStore['scan'] {
  return async function* scan(batch): AsyncGenerator<readonly ExportedDocument[]> {
    // Without an end, writes during the scan would keep it going.
    const [[newest]] = (await reading.read([NEWEST], 0)) as readonly [readonly [{ readonly doc: number }]];
    for (let after = 0; ; ) {
      index.check();
      const statement = { sql: NEXT, params: [after, newest.doc, batch] };
      const [rows] = (await reading.read([statement], 0)) as readonly [readonly VectorRow[]];
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({
        document: toStoredDocument(row),
        ...(row.vector && { vector: toVector(row.vector).slice() }),
      }));
      after = last.doc;
    }
  };
}
