import type { Database } from '@contextloom/sqlite';
import type { DocumentStore, HeldDocument } from '../../domain/store.ts';
import type { FillingRecord } from './filling.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toStoredDocument } from './rows.ts';

interface VectorRow extends DocumentRow {
  readonly vector: Buffer;
}

/** What a scan works on. */
export interface ScanOptions {
  readonly database: Database;
  readonly filling: FillingRecord;
  /** Runs each step, and says what went wrong in the store's own words. */
  readonly run: <T>(step: () => T) => T;
}

/** A copy: a blob lies anywhere in memory, and floats only where their size divides the address. */
function toVector(blob: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(blob).buffer);
}

/** Builds the function that gives every document with its vector, in the order of the rows' own keys. */
export function createScan({ database, filling, run }: ScanOptions): DocumentStore['scan'] {
  const next = database.prepare<[number, number, number], VectorRow>(
    `SELECT ${DOCUMENT_COLUMNS}, e.vector FROM documents d JOIN embeddings e ON e.doc = d.doc
     WHERE d.doc > ? AND d.doc <= ? ORDER BY d.doc LIMIT ?`,
  );
  const newest = database.prepare<[], number>('SELECT coalesce(max(doc), 0) FROM documents').pluck();
  const read = (after: number, until: number, limit: number): readonly VectorRow[] => {
    filling.check();
    return next.all(after, until, limit);
  };
  return async function* scan(batch): AsyncGenerator<readonly HeldDocument[]> {
    // Without an end, whoever writes meanwhile would keep it going.
    const until = run(() => newest.get() ?? 0);
    for (let after = 0; ; ) {
      const from = after;
      const rows = run(() => read(from, until, batch));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({ document: toStoredDocument(row), vector: toVector(row.vector) }));
      after = last.doc;
    }
  };
}
