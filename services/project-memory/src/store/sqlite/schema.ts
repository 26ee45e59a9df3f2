import type { Migration } from '@contextloom/sqlite';

/**
 * Where a word stands in which fragment, and how often, by project: what a search reads is as large as the projects that it is about.
 * The column `tokens` has the same of one fragment, from which triggers write it.
 */
const toWordTable = (table: string): string => `
CREATE TABLE ${table}_words (
  project_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  fragment INTEGER NOT NULL,
  frequency INTEGER NOT NULL,
  PRIMARY KEY (project_id, token, fragment)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
  INSERT INTO ${table}_words SELECT new.project_id, key, new.row, value FROM json_each(new.tokens, '$.words');
END;
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
  DELETE FROM ${table}_words WHERE project_id = old.project_id AND fragment = old.row
    AND token IN (SELECT key FROM json_each(old.tokens, '$.words'));
END;`;

/** What the two tables of fragments have in common. What a search reads of many rows stands before what is long. */
const FRAGMENT = `
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  memory_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  chunk_index INTEGER NOT NULL,
  terms INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(tokens, '$.terms')) STORED,
  unigrams INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(tokens, '$.unigrams')) STORED,
  embedding BLOB,
  content TEXT NOT NULL,
  tokens TEXT NOT NULL`;

/** Times are ISO 8601 in UTC with six digits of the second, so that their order is that of the texts. */
const tables = `
CREATE TABLE project_memory_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL,
  project_key TEXT NOT NULL,
  project_name TEXT NOT NULL,
  machine_name TEXT,
  project_path TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (owner_id, project_key)
) STRICT;

CREATE TABLE memories (
  id TEXT NOT NULL PRIMARY KEY,
  owner_id TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  content_type TEXT NOT NULL CHECK (content_type IN ('requirement', 'plan', 'development', 'testing', 'insight')),
  ts INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  chunk_count INTEGER NOT NULL DEFAULT 1,
  embedding_done INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  content_hash TEXT NOT NULL,
  avg_embedding BLOB,
  summary TEXT NOT NULL,
  tags TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX memories_by_project ON memories (project_id, ts DESC);
CREATE INDEX memories_by_owner ON memories (owner_id, ts DESC);
CREATE INDEX memories_by_hash ON memories (project_id, content_hash);

CREATE TABLE fragments (${FRAGMENT},
  FOREIGN KEY (memory_id) REFERENCES memories (id) ON DELETE CASCADE,
  UNIQUE (memory_id, chunk_index)
) STRICT;
CREATE INDEX fragments_by_project ON fragments (project_id);
CREATE INDEX fragments_pending ON fragments (owner_id, id) WHERE embedding IS NULL;
${toWordTable('fragments')}

CREATE TABLE memory_versions (
  id INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL REFERENCES memories ON DELETE CASCADE,
  owner_id TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  ts INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  replaced_at TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  avg_embedding BLOB,
  summary TEXT NOT NULL,
  tags TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (memory_id, revision)
) STRICT;
CREATE INDEX versions_by_project ON memory_versions (project_id);

CREATE TABLE version_fragments (${FRAGMENT},
  revision INTEGER NOT NULL,
  FOREIGN KEY (memory_id, revision) REFERENCES memory_versions (memory_id, revision) ON DELETE CASCADE,
  UNIQUE (memory_id, revision, chunk_index)
) STRICT;
CREATE INDEX version_fragments_by_project ON version_fragments (project_id);
CREATE INDEX version_fragments_pending ON version_fragments (owner_id, id) WHERE embedding IS NULL;
${toWordTable('version_fragments')}

CREATE TABLE memory_arbitrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  candidate_memory_id TEXT,
  new_memory_id TEXT,
  action TEXT NOT NULL CHECK (action IN ('REPLACE', 'KEEP_BOTH', 'SKIP')),
  similarity REAL NOT NULL,
  old_summary TEXT NOT NULL,
  new_summary TEXT NOT NULL,
  model TEXT,
  -- The revision that a REPLACE made, and the text that a SKIP left out: what a rollback needs.
  revision INTEGER,
  skipped_type TEXT,
  skipped_content TEXT,
  skipped_ts INTEGER,
  created_at TEXT NOT NULL,
  rolled_back_at TEXT
) STRICT;
CREATE INDEX arbitrations_by_owner ON memory_arbitrations (owner_id, id DESC);
CREATE INDEX arbitrations_by_project ON memory_arbitrations (project_id);
CREATE INDEX arbitrations_by_candidate ON memory_arbitrations (candidate_memory_id);
CREATE INDEX arbitrations_by_new ON memory_arbitrations (new_memory_id);

CREATE TABLE memory_links (
  owner_id TEXT NOT NULL,
  from_id TEXT NOT NULL REFERENCES memories ON DELETE CASCADE,
  to_id TEXT NOT NULL REFERENCES memories ON DELETE CASCADE,
  relation TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (from_id, to_id, relation),
  CHECK (from_id <> to_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON memory_links (to_id);
`;

/** When memories are forgotten and texts that verdicts left out, in epoch milliseconds, and receipts of memories that were. */
const ends = `
ALTER TABLE memories ADD COLUMN ends_at INTEGER;
ALTER TABLE memory_arbitrations ADD COLUMN ends_at INTEGER;
CREATE INDEX memories_ends ON memories (owner_id, ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX arbitrations_ends ON memory_arbitrations (owner_id, ends_at) WHERE ends_at IS NOT NULL;
CREATE TABLE memory_receipts (
  owner_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  erased_at INTEGER NOT NULL,
  PRIMARY KEY (owner_id, memory_id)
) STRICT, WITHOUT ROWID;
`;

/** The steps of the schema, oldest first. */
export const migrations: readonly Migration[] = [tables, ends];
