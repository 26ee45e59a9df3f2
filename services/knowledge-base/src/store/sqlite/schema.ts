import { type Migration, toBaseline, toIndexSchema, toWaitingSchema } from '@contextloom/sqlite';

/** Where the index finds documents. */
export const INDEXED = { name: 'document', table: { name: 'documents', row: 'doc', key: 'id' } } as const;

/*
 * `documents` is the truth. `doc` is never used twice, so that "<doc>.<version>" names one state of one document for ever.
 * `importance` is -Infinity when a document has none: the order of a listing then needs no case for it. `keys` are further
 * texts by which a document is found, as a JSON array. `attributes` and the index of words and vectors are derived;
 * `attributes_next` is filled by a rebuild and takes their place when the index is swapped.
 */
const schema = `
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
  content TEXT NOT NULL,
  keys TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX documents_by_owner ON documents (owner, importance DESC, time DESC, id);
${toAttributesSchema('attributes')}
${toAttributesSchema('attributes_next')}
${toIndexSchema(INDEXED)}
`;

function toAttributesSchema(name: string): string {
  return `
CREATE TABLE ${name} (
  doc INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  PRIMARY KEY (doc, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX ${name}_by_value ON ${name} (name, value);`;
}

/** Lists by time, page by page, without sorting all that an owner has. */
const listsByTime: Migration = 'CREATE INDEX documents_by_time ON documents (owner, time DESC, id);';

/** The schema of the SQLite store, version by version. Version 4 is that of release 0.1, the oldest there is. */
export const migrations: readonly Migration[] = [...toBaseline(4, schema), toWaitingSchema(INDEXED), listsByTime];
