import type { ServiceSchema, StatementRole } from '@contextloom/postgres';

/** The name of the schema. */
export const SCHEMA = 'contextloom_knowledge_base';
/** The role that statements run as where the user of DATABASE_URL is above row-level security; nobody can log in with it. */
const ROLE = 'contextloom_documents';
/** The setting that says whose rows a transaction sees: owners line by line, or `*`; without it none. */
export const OWNERS = 'contextloom.owners';

const ofTransaction = `current_setting('${OWNERS}', true)`;

/*
 * `documents` is the truth. `doc` is never used twice, so that "<doc>.<version>" names one state of one document for ever.
 * `importance` is -Infinity when a document has none: the order of a listing then needs no case for it. `attributes`, `words`,
 * `vector` and `norm` are derived. `entry` is a new number with every change: what a process has in memory of an entry stays true.
 * `next` is filled by a rebuild, and its rows take the place of what was derived before at once.
 */
const tables = `
CREATE SEQUENCE entries;
CREATE TABLE documents (
  doc BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  owner TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  importance DOUBLE PRECISION NOT NULL,
  time DOUBLE PRECISION NOT NULL,
  tags TEXT NOT NULL,
  metadata TEXT NOT NULL,
  content TEXT NOT NULL,
  keys TEXT NOT NULL,
  attributes JSONB NOT NULL,
  words BYTEA NOT NULL,
  vector BYTEA,
  norm DOUBLE PRECISION,
  entry BIGINT NOT NULL DEFAULT nextval('entries')
);
CREATE INDEX documents_by_owner ON documents (owner, importance DESC, time DESC, id);
CREATE INDEX documents_by_time ON documents (owner, time DESC, id);
CREATE INDEX documents_waiting ON documents (doc) WHERE vector IS NULL;
CREATE TABLE next (
  doc BIGINT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  attributes JSONB NOT NULL,
  words BYTEA NOT NULL,
  vector BYTEA,
  norm DOUBLE PRECISION
);
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
CREATE POLICY of_owners ON documents
  USING (${ofTransaction} = '*' OR owner = ANY (string_to_array(${ofTransaction}, E'\\n')));
ALTER TABLE next ENABLE ROW LEVEL SECURITY;
ALTER TABLE next FORCE ROW LEVEL SECURITY;
CREATE POLICY of_everyone ON next USING (${ofTransaction} = '*');`;

/*
 * Evaluated once for a statement, and not for each row; and the numbers of an owner's entries are read from the index alone, which each
 * search begins with.
 */
const readSelectionsFast = `
ALTER POLICY of_owners ON documents USING ((SELECT ${ofTransaction}) = '*'
  OR owner = ANY ((SELECT string_to_array(${ofTransaction}, E'\\n'))::text[]));
DROP INDEX documents_by_time;
CREATE INDEX documents_by_time ON documents (owner, time DESC, id) INCLUDE (doc, entry);`;

/** What the planner samples of columns would keep words of people who are forgotten. */
const unsampled = [
  ['documents', ['id', 'owner', 'tags', 'metadata', 'content', 'keys', 'attributes', 'words', 'vector']],
  ['next', ['attributes', 'words', 'vector']],
] as const;

/** Where documents are in Postgres. */
export const documentSchema: ServiceSchema = {
  name: SCHEMA,
  migrations: [tables, readSelectionsFast],
  lock: 4_117_221,
};

/** What is run once, after the tables were made. */
export const FIRST = unsampled
  .flatMap(([table, columns]) => columns.map((one) => `ALTER TABLE ${table} ALTER COLUMN ${one} SET STATISTICS 0;`))
  .join('\n');

/** The role that statements run as. */
export const documentRole: StatementRole = { schema: documentSchema, name: ROLE, newestTable: 'next' };
