import { ContextloomError } from '@contextloom/contracts';
import { type Database, type DerivedRow, type HybridIndex, toVector } from '@contextloom/sqlite';
import type {
  DerivableDocument,
  Derive,
  DocumentIndex,
  DocumentStore,
  RebuildOptions,
  RebuildReport,
} from '../../domain/store.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, toDocument } from '../sql/rows.ts';
import { INDEXED } from './schema.ts';
import { createAttributeWriter } from './writer.ts';

const SWAP_ATTRIBUTES = `
  ALTER TABLE attributes RENAME TO attributes_before;
  ALTER TABLE attributes_next RENAME TO attributes;
  ALTER TABLE attributes_before RENAME TO attributes_next;
  DELETE FROM attributes_next;`;

interface IndexedRow extends DocumentRow {
  readonly vector: Buffer | null;
}

/** Builds what both ways of deriving everything again have in common. */
function createToRebuildOptions(database: Database, index: HybridIndex, { keepsVectors }: { keepsVectors: boolean }) {
  const read = database.prepare<[string], IndexedRow>(
    `SELECT ${DOCUMENT_COLUMNS}, e.vector FROM json_each(?) asked CROSS JOIN documents d ON d.doc = asked.value
     LEFT JOIN ${INDEXED.name}_entries e ON e.row = d.doc`,
  );
  const toDerivable = (row: IndexedRow): DerivableDocument =>
    keepsVectors && row.vector !== null ? { ...toDocument(row), vector: toVector(row.vector) } : toDocument(row);
  const writeAttributes = createAttributeWriter(database, 'attributes_next');
  const toDerived = ({ doc, id }: DocumentRow, derived: DocumentIndex | undefined): DerivedRow => {
    if (derived === undefined) throw new ContextloomError('internal', `no index was made of the document "${id}"`);
    return {
      row: doc,
      entry: index.toEntry(derived.text, derived.vector),
      write: () => writeAttributes(doc, derived),
    };
  };
  return (derive: Derive, { resume, signal, onProgress }: RebuildOptions) => ({
    derive: async (requested: readonly number[]) => {
      const found = read.all(JSON.stringify(requested));
      const indexes = await derive(found.map(toDerivable));
      return found.map((row, at) => toDerived(row, indexes[at]));
    },
    resume,
    signal,
    onProgress: ({ rows: documents, done }: { readonly rows: number; readonly done: number }) =>
      onProgress?.({ documents, done }),
    onDiscard: () => void database.exec('DELETE FROM attributes_next'),
    onSwap: () => void database.exec(SWAP_ATTRIBUTES),
  });
}

/** Builds the function that derives everything again, next to what is in use, which it takes the place of at the end. */
export function createRebuild(database: Database, index: HybridIndex): DocumentStore['rebuild'] {
  const toOptions = createToRebuildOptions(database, index, { keepsVectors: false });
  return async (derive, options = {}) => {
    const { kind, rows } = await index.rebuild(toOptions(derive, options));
    return { kind, documents: rows };
  };
}

/** Builds the function that does so after an update of the program; vectors of the same embedder are kept, which may cost money. */
export function createUpgrade(
  database: Database,
  index: HybridIndex,
  { hasSameVectors }: { readonly hasSameVectors: boolean },
): (derive: Derive, options: RebuildOptions) => Promise<RebuildReport['kind']> {
  const toOptions = createToRebuildOptions(database, index, { keepsVectors: hasSameVectors });
  return (derive, options) => index.upgrade(toOptions(derive, options));
}
