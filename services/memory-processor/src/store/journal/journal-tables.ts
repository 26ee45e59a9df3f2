const SCHEMA = `
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  sources TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE TABLE items (
  import_id TEXT NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  saved INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  retryable INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (import_id, key)
);`;

/** A long conversation is kept in parts. */
const PARTS = 'ALTER TABLE items ADD COLUMN part INTEGER NOT NULL DEFAULT 1';

/** When each reading again began that is not done yet. */
const REREADINGS = 'CREATE TABLE rereadings (name TEXT PRIMARY KEY, started_at TEXT NOT NULL)';

/** How many memories of each conversation a person had corrected or deleted. */
const RETRACTED = `ALTER TABLE items ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;`;

/** The tables of the journal in a file, version by version. */
export const sqliteJournalTables = [SCHEMA, PARTS, REREADINGS, RETRACTED] as const;

/** The tables of the journal in Postgres, and who works on which import. */
export const postgresJournalTables = `CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  sources TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX imports_of_user ON imports (user_id, started_at);
CREATE TABLE items (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  import_id TEXT NOT NULL REFERENCES imports(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  part BIGINT NOT NULL,
  state TEXT NOT NULL,
  saved BIGINT NOT NULL DEFAULT 0,
  reason TEXT,
  retryable BIGINT NOT NULL DEFAULT 0,
  corrected BIGINT NOT NULL DEFAULT 0,
  deleted BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (import_id, key)
);
CREATE TABLE rereadings (name TEXT PRIMARY KEY, started_at TEXT NOT NULL);
CREATE TABLE import_locks (
  id TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  is_stopping BIGINT NOT NULL DEFAULT 0,
  done BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL DEFAULT 0
);`;
