import type { Migration } from '../../database/migrate.ts';

/** Which texts an index is about: those of the rows of one table. All names are written into SQL: constants of the program. */
export interface IndexDefinition {
  /** What the names of the index's tables begin with. */
  readonly name: string;
  readonly table: {
    readonly name: string;
    /** Its `INTEGER PRIMARY KEY`. */
    readonly row: string;
    /** A unique text column, by which rows with the same score are ordered. */
    readonly key: string;
  };
  /** How many dimensions the vectors have. */
  readonly dimensions: number;
  /** Names what derived the tokens and vectors, such as embedder and version: an index with another one is not searched. */
  readonly fingerprint: string;
  /** Fingerprints of earlier versions: their entries are searched until the index is upgraded. */
  readonly earlier?: readonly string[];
}

/** The indexes by which rows are found that have no vector yet; they take no room while there are none. */
export function toWaitingSchema({ name }: Pick<IndexDefinition, 'name'>): Migration {
  // One for each of the two tables, which change places when the index is rebuilt.
  return `
CREATE INDEX ${name}_waiting ON ${name}_entries (row) WHERE vector IS NULL;
CREATE INDEX ${name}_waiting_next ON ${name}_entries_next (row) WHERE vector IS NULL;`;
}

/**
 * The tables of an index, for the migrations of its owner. A row that is deleted from the owner's table is deleted from the index.
 * `changes` names the rows whose entry was replaced or removed, each once and by a number that only grows: caches of
 * entries learn from it what to read again. `entries_next` is filled while the index is rebuilt, and then takes the place
 * of `entries` at once.
 */
export function toIndexSchema({ name, table }: Pick<IndexDefinition, 'name' | 'table'>): Migration {
  const columns = '(row INTEGER PRIMARY KEY, words BLOB NOT NULL, vector BLOB, norm REAL) STRICT';
  return `
CREATE TABLE ${name}_state (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ${name}_entries ${columns};
CREATE TABLE ${name}_entries_next ${columns};
CREATE TABLE ${name}_changes (change INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL UNIQUE) STRICT;
CREATE TRIGGER ${name}_row_deleted AFTER DELETE ON ${table.name} BEGIN
  DELETE FROM ${name}_entries WHERE row = old.${table.row};
  DELETE FROM ${name}_entries_next WHERE row = old.${table.row};
  INSERT OR REPLACE INTO ${name}_changes (row) VALUES (old.${table.row});
END;`;
}
