import type { Migration } from '@contextloom/sqlite';

/*
 * `documents` is the truth; `attributes`, `embeddings` and `tokens` are derived of it and can be made anew.
 * `doc` is never used twice, so that "<doc>.<version>" names one state of one document for ever.
 * `importance` is -Infinity when a document has none: the order of a listing then needs no case for it.
 * `embeddings_next` is filled while the index is rebuilt, and then takes the place of `embeddings` at once; a rebuilding that
 * was cut off leaves it, and the row `next_filling` of `store_info` says what it was made with.
 * `tokens.owner` lets the keyword search cut the postings of a word with those of an owner before it reads a row.
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

/*
 * `changes` names the documents that were changed, each once and by a number that only grows: threads that hold what they
 * have read learn from it what to read again. A document that is added or restored needs no row, since its `doc` is new.
 */
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

/** The schema of the embedded store, version by version. */
export const migrations: readonly Migration[] = [version1, version2, version3];
