import { withStorageErrors } from '../../database/errors.ts';
import { openReadOnly } from '../../database/open-database.ts';
import { createPrepare } from '../../database/statements.ts';
import type { IndexDefinition } from '../upkeep/schema.ts';
import { createSearchIndex, type HybridHits, type HybridQuery, type SearchIndex, type SqlPart } from './search.ts';

/** What a reader is asked, as plain data: a search of an index, or the rows of some statements. */
export type ReadTask =
  | { readonly kind: 'search'; readonly definition: IndexDefinition; readonly query: HybridQuery }
  | { readonly kind: 'read'; readonly statements: readonly SqlPart[] };

/** The rows of some statements, in the order of the statements. */
export type StatementRows = readonly (readonly unknown[])[];

/** Reads a database, each task in one transaction: all of it sees one state. */
export interface IndexReader {
  perform(task: ReadTask): HybridHits | StatementRows;
  close(): void;
}

/** What a reader is made of. */
export interface IndexReaderOptions {
  readonly file: string;
  /** Most bytes that the searches of each index keep in memory. */
  readonly cacheBytes: number;
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
}

/** Opens a connection for reading alone. */
export function openIndexReader({ file, cacheBytes, cipherKey }: IndexReaderOptions): IndexReader {
  const database = openReadOnly(file, { cipherKey });
  const prepare = createPrepare(database);
  const searches = new Map<string, SearchIndex>();
  const searchOf = (definition: IndexDefinition): SearchIndex => {
    const search = searches.get(definition.name) ?? createSearchIndex(database, definition, cacheBytes);
    searches.set(definition.name, search);
    return search;
  };
  const read = database.transaction((statements: readonly SqlPart[]) =>
    statements.map(({ sql, params }) => prepare<unknown>(sql).all(...params)),
  );
  return {
    perform: (task) =>
      withStorageErrors(() => (task.kind === 'search' ? searchOf(task.definition)(task.query) : read(task.statements))),
    close: () => void database.close(),
  };
}
