import { ContextloomError } from '@contextloom/contracts';
import type { Database, DerivedRow, HybridIndex } from '@contextloom/sqlite';
import type { DocumentIndex, DocumentStore } from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from './rows.ts';
import { createAttributeWriter } from './writer.ts';

const SWAP_ATTRIBUTES = `
  ALTER TABLE attributes RENAME TO attributes_before;
  ALTER TABLE attributes_next RENAME TO attributes;
  ALTER TABLE attributes_before RENAME TO attributes_next;
  DELETE FROM attributes_next;`;

/** Builds the function that derives everything again, next to what is in use, which it takes the place of at the end. */
export function createRebuild(database: Database, index: HybridIndex): DocumentStore['rebuild'] {
  const read = database.prepare<[string], DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM json_each(?) asked CROSS JOIN documents d ON d.doc = asked.value`,
  );
  const writeAttributes = createAttributeWriter(database, 'attributes_next');
  const toDerived = ({ doc, id }: DocumentRow, derived: DocumentIndex | undefined): DerivedRow => {
    if (derived === undefined) throw new ContextloomError('internal', `no index was made of the document "${id}"`);
    return {
      row: doc,
      entry: index.toEntry(derived.text, derived.vector),
      write: () => writeAttributes(doc, derived),
    };
  };
  return async (derive, { resume, signal, onProgress } = {}) => {
    const { kind, rows } = await index.rebuild({
      derive: async (asked) => {
        const found = read.all(JSON.stringify(asked));
        const indexes = await derive(found.map(toDocument));
        return found.map((row, at) => toDerived(row, indexes[at]));
      },
      ...{ resume, signal },
      onProgress: ({ rows: documents, done }) => onProgress?.({ documents, done }),
      onDiscard: () => void database.exec('DELETE FROM attributes_next'),
      onSwap: () => void database.exec(SWAP_ATTRIBUTES),
    });
    return { kind, documents: rows };
  };
}
