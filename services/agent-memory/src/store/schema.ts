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
];
