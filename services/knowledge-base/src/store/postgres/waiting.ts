import { embedEach } from '@contextloom/llm';
import { toIndexEntry } from '@contextloom/sqlite';
import { toIndexedText } from '../../domain/indexing/indexing.ts';
import type { DocumentStore } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, toDocument } from '../sql/rows.ts';
import type { DocumentDatabase } from './database.ts';
import { INDEX_COLUMNS, type IndexedRow, toGivenDocument } from './rows.ts';
import type { Transaction } from './transaction.ts';

/** Documents whose vectors are made and written together. */
const BATCH = 32;

const readWaiting = ({ query }: Transaction, after: number): Promise<readonly IndexedRow[]> =>
  query<IndexedRow>(
    `SELECT ${DOCUMENT_COLUMNS}, ${INDEX_COLUMNS} FROM documents d WHERE d.vector IS NULL AND d.doc > ? ORDER BY d.doc LIMIT ${BATCH}`,
    [after],
  );

/** Builds the function that makes the vectors of documents that were stored while the embedder was out of reach. */
export function createEmbedWaiting(
  database: DocumentDatabase,
  dimensions: number,
  own: string,
): DocumentStore['embedWaiting'] {
  return async (embed) => {
    let made = 0;
    for (let after = 0; ; ) {
      const from = after;
      const rows = await database.read({ kind: 'everyone' }, async (sql) =>
        // Vectors of another embedder are being replaced: those that wait are made with them.
        sql.fingerprint === own ? readWaiting(sql, from) : [],
      );
      const last = rows.at(-1);
      if (last === undefined) return made;
      const texts = rows.map((row) => toIndexedText(toDocument(toGivenDocument(row))));
      const vectors = await embedEach(texts, embed);
      made += await database.write(async ({ query, fingerprint }) => {
        let written = 0;
        for (const [at, row] of rows.entries()) {
          const fresh = vectors[at];
          if (fresh === undefined || fingerprint !== own) continue;
          const { vector = null, norm = null } = toIndexEntry('', fresh, dimensions);
          // What changed meanwhile has another entry.
          const changed = await query(
            `UPDATE documents SET entry = nextval('entries'), vector = ?, norm = ? WHERE doc = ? AND entry = ? RETURNING doc`,
            [vector, norm, row.doc, row.entry],
          );
          written += changed.length;
          if (changed.length > 0) await query('DELETE FROM next WHERE doc = ?', [row.doc]);
        }
        return written;
      });
      after = last.doc;
    }
  };
}
