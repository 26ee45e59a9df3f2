import { type IndexDefinition, type Migration, toIndexSchema } from '@contextloom/sqlite';

/** The table that is searched, and the names of its index. */
export const entriesIndex = {
  name: 'memory_embeddings',
  table: { name: 'memory_entries', row: 'entry', key: 'id' },
} as const satisfies Pick<IndexDefinition, 'name' | 'table'>;

/** The schema of the derived index. */
export const migrations: readonly Migration[] = [
  `
CREATE TABLE origin (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE memory_entries (
  entry INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('conversation', 'decision', 'summary', 'manual')),
  source_file TEXT NOT NULL,
  date TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  label TEXT,
  metadata TEXT,
  position INTEGER NOT NULL,
  written_id TEXT,
  has_vector INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_memory_entries_created_at ON memory_entries (created_at);
CREATE INDEX idx_memory_entries_date ON memory_entries (date);
CREATE INDEX idx_memory_entries_content_type ON memory_entries (content_type);
CREATE INDEX idx_memory_entries_source_file ON memory_entries (source_file);
CREATE INDEX idx_memory_entries_written_id ON memory_entries (written_id) WHERE written_id <> id;
CREATE INDEX idx_memory_entries_has_vector ON memory_entries (entry) WHERE has_vector = 0;
${toIndexSchema(entriesIndex)}`,
  `
CREATE TABLE spirit_cache (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  role TEXT NOT NULL,
  personality TEXT NOT NULL,
  "values" TEXT NOT NULL,
  behavior_rules TEXT NOT NULL,
  file_path TEXT UNIQUE,
  last_modified TEXT NOT NULL
) STRICT;
CREATE TABLE owner_cache (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  age INTEGER,
  occupation TEXT,
  interests TEXT NOT NULL DEFAULT '[]',
  goals TEXT NOT NULL DEFAULT '[]',
  preferences TEXT NOT NULL DEFAULT '{}',
  file_path TEXT UNIQUE,
  last_modified TEXT NOT NULL
) STRICT;
CREATE TABLE daily_logs (
  date TEXT PRIMARY KEY,
  file_path TEXT UNIQUE,
  entries TEXT NOT NULL DEFAULT '[]',
  summary TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_daily_logs_date ON daily_logs (date);
CREATE TABLE tool_definitions (
  name TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  parameters TEXT NOT NULL,
  enabled INTEGER DEFAULT 1
) STRICT;
DELETE FROM files;
DELETE FROM memory_entries;`,
  // No file says when a person changed an entry: it stays when the rest is made again.
  'CREATE TABLE edits (id TEXT PRIMARY KEY, edited_at TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  // What stands outside of entries is indexed too: every file is read again.
  'ALTER TABLE memory_entries ADD COLUMN in_text INTEGER NOT NULL DEFAULT 0; DELETE FROM files;',
  // When an entry is forgotten, in epoch milliseconds, as its metadata say; and receipts of those that were, which stay when the rest is made again.
  `ALTER TABLE memory_entries ADD COLUMN ends_at INTEGER;
CREATE INDEX idx_memory_entries_ends_at ON memory_entries (ends_at) WHERE ends_at IS NOT NULL;
CREATE TABLE receipts (id TEXT PRIMARY KEY, erased_at TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
];

/** Empties what is derived from files. */
export const FORGET_FILES =
  'DELETE FROM files; DELETE FROM daily_logs; DELETE FROM spirit_cache; DELETE FROM owner_cache; DELETE FROM tool_definitions';
