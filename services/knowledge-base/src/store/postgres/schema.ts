import { EXPIRY_KEY, RETRACTION_TAG } from '@contextloom/contracts';
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

/** What every search asks of each of its rows. */
export const ENDING = `time:${EXPIRY_KEY}`;
export const RETRACTED = `tag:${RETRACTION_TAG}`;

/*
 * Both in columns of their own: the index alone then says what a search selects, and what has expired and the receipts of it are found without a
 * look at the rows of everybody. An index of `attributes` could not: its operators are not leakproof, so that row-level security goes first.
 */
const selectByIndex = `
ALTER TABLE documents
  ADD COLUMN forget_at DOUBLE PRECISION GENERATED ALWAYS AS ((attributes ->> '${ENDING}')::float8) STORED,
  ADD COLUMN is_retraction BOOLEAN NOT NULL GENERATED ALWAYS AS (jsonb_exists(attributes, '${RETRACTED}')) STORED;
DROP INDEX documents_by_time;
CREATE INDEX documents_by_time ON documents (owner, time DESC, id) INCLUDE (doc, entry, forget_at, is_retraction);
CREATE INDEX documents_ending ON documents (forget_at) WHERE forget_at IS NOT NULL;
CREATE INDEX documents_retractions ON documents (owner) WHERE is_retraction;
ALTER TABLE documents SET (autovacuum_vacuum_insert_scale_factor = 0.02);`;

/** What the planner samples of columns would keep words of people who are forgotten. */
const unsampled = [
  ['documents', ['id', 'owner', 'tags', 'metadata', 'content', 'keys', 'attributes', 'words', 'vector']],
  ['next', ['attributes', 'words', 'vector']],
] as const;

/** Where documents are in Postgres. */
export const documentSchema: ServiceSchema = {
  name: SCHEMA,
  migrations: [tables, readSelectionsFast, selectByIndex],
  lock: 4_117_221,
  vacuumed: 'documents',
};

/** What is run once, after the tables were made. */
export const FIRST = unsampled
  .flatMap(([table, columns]) => columns.map((one) => `ALTER TABLE ${table} ALTER COLUMN ${one} SET STATISTICS 0;`))
  .join('\n');

/** The role that statements run as. */
export const documentRole: StatementRole = { schema: documentSchema, name: ROLE, newestTable: 'next' };
