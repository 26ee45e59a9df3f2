import { type Migration, toIndexSchema } from '@contextloom/sqlite';

/*
 * `documents` is the truth. `doc` is never used twice, so that "<doc>.<version>" names one state of one document for ever.
 * `importance` is -Infinity when a document has none: the order of a listing then needs no case for it.
 */
const version1: Migration = `
CREATE TABLE store_info (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  doc INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  importance REAL NOT NULL,
  time REAL NOT NULL,
  tags TEXT NOT NULL,
  metadata TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_owner ON documents (owner, importance DESC, time DESC, id);

CREATE TABLE attributes (
  doc INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (doc, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX attributes_by_value ON attributes (name, value);

CREATE TABLE embeddings (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  vector BLOB NOT NULL
) STRICT;
CREATE TABLE embeddings_next (
  doc INTEGER PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  vector BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE tokens USING fts5 (owner, terms, unigrams, tokenize = 'ascii');
`;

const version2: Migration = `
CREATE TABLE changes (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  doc INTEGER NOT NULL UNIQUE REFERENCES documents ON DELETE CASCADE
) STRICT;
CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
  INSERT OR REPLACE INTO changes (doc) VALUES (new.doc);
END;
`;

/** Further texts by which a document is found, as a JSON array. */
const version3: Migration = `ALTER TABLE documents ADD COLUMN keys TEXT NOT NULL DEFAULT '[]';`;

/** Where the index finds documents. */
export const INDEXED = { name: 'document', table: { name: 'documents', row: 'doc', key: 'id' } } as const;

/*
 * The index of words and vectors is another one, which a rebuild derives of the documents. `attributes` are derived too;
 * `attributes_next` is filled by a rebuild and takes their place when the index is swapped.
 */
const version4: Migration = `
DROP TRIGGER documents_changed;
DROP TABLE changes;
DROP TABLE tokens;
DROP TABLE embeddings;
DROP TABLE embeddings_next;
CREATE TABLE attributes_next (
  doc INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (doc, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX attributes_next_by_value ON attributes_next (name, value);
${toIndexSchema(INDEXED)}
INSERT INTO document_state SELECT 'fingerprint', value FROM store_info WHERE name = 'filling';
DROP TABLE store_info;
`;

/** The schema of the embedded store, version by version. */
export const migrations: readonly Migration[] = [version1, version2, version3, version4];
