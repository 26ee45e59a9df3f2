import type { ServiceSchema, StatementRole } from '@contextloom/postgres';

/** The name of the schema. */
export const SCHEMA = 'contextloom_personal_memory';
/** The role that statements run as where the user of DATABASE_URL is above row-level security. */
const ROLE = 'contextloom_memories';
/** The setting that says whose rows a transaction sees: `u:` and the user, or `*` for all; without it none. */
export const USER = 'contextloom.user';

const scope = `(SELECT current_setting('${USER}', true))`;
const ofScope = `(SELECT substr(current_setting('${USER}', true), 3))`;

/** The tables with rows of users that the first version had. */
const firstTables = [
  'user_profile',
  'profile_history',
  'entities',
  'entity_aliases',
  'events',
  'event_entities',
  'entity_relations',
  'last_numbers',
  'import_claims',
  'sources',
  'event_entries',
  'profile_entries',
] as const;
const endTables = ['ends', 'receipts'] as const;
/** The tables with rows of users. */
export const tables = [...firstTables, ...endTables] as const;

/** An entry is a new number with every change: what a process has in memory of it stays true. `made_by` names what derived it. */
const toEntries = (table: string, rows: string): string => `
CREATE TABLE ${table} (
  row BIGINT PRIMARY KEY REFERENCES ${rows} ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL DEFAULT substr(current_setting('${USER}', true), 3),
  entry BIGINT NOT NULL DEFAULT nextval('entries'),
  made_by TEXT NOT NULL,
  words BYTEA NOT NULL,
  vector BYTEA,
  norm DOUBLE PRECISION
);
CREATE INDEX ${table}_waiting ON ${table} (row) WHERE vector IS NULL;`;

const toPolicy = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_user ON ${table} USING (${scope} = '*' OR user_id = ${ofScope});`;

/*
 * As in the file of SQLite: times are epoch milliseconds, UTC; tags, attributes and metadata are JSON. Each user has numbers of their own;
 * `id` is the order in which rows came. What may be longer than an index takes is found by its digest.
 */
const create = `
CREATE SEQUENCE entries;
CREATE TABLE user_profile (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  category TEXT,
  tags TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  updated_at BIGINT NOT NULL,
  UNIQUE (user_id, key)
);
CREATE TABLE profile_history (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  category TEXT,
  tags TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  change TEXT NOT NULL,
  changed_at BIGINT NOT NULL,
  UNIQUE (user_id, number)
);
CREATE INDEX profile_history_by_key ON profile_history (user_id, key, number);
CREATE TABLE entities (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  entity_type TEXT NOT NULL,
  name TEXT,
  attributes TEXT NOT NULL,
  tags TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (user_id, number)
);
CREATE TABLE entity_aliases (
  entity_id BIGINT NOT NULL REFERENCES entities ON DELETE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL,
  alias TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX entity_aliases_once ON entity_aliases (entity_id, md5(alias));
CREATE INDEX entity_aliases_by_user ON entity_aliases (user_id);
CREATE TABLE events (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  event_type TEXT NOT NULL,
  description TEXT NOT NULL,
  timestamp BIGINT NOT NULL,
  metadata TEXT NOT NULL,
  tags TEXT NOT NULL,
  importance DOUBLE PRECISION NOT NULL CHECK (importance BETWEEN 0 AND 1),
  parent_event_id BIGINT REFERENCES events ON DELETE SET NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (user_id, number)
);
CREATE INDEX events_by_time ON events (user_id, timestamp DESC, id DESC);
CREATE INDEX events_by_parent ON events (parent_event_id) WHERE parent_event_id IS NOT NULL;
CREATE TABLE event_entities (
  event_id BIGINT NOT NULL REFERENCES events ON DELETE CASCADE,
  entity_id BIGINT NOT NULL REFERENCES entities,
  position BIGINT NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL DEFAULT substr(current_setting('${USER}', true), 3),
  PRIMARY KEY (event_id, entity_id)
);
CREATE INDEX event_entities_by_entity ON event_entities (entity_id, event_id);
CREATE TABLE entity_relations (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  entity_id_1 BIGINT NOT NULL REFERENCES entities,
  entity_id_2 BIGINT NOT NULL REFERENCES entities,
  relation_type TEXT COLLATE "C" NOT NULL,
  metadata TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (user_id, number)
);
CREATE UNIQUE INDEX entity_relations_once ON entity_relations (entity_id_1, entity_id_2, md5(relation_type));
CREATE INDEX entity_relations_by_second ON entity_relations (entity_id_2);
CREATE TABLE last_numbers (
  user_id TEXT COLLATE "C" NOT NULL,
  kind TEXT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (user_id, kind)
);
CREATE TABLE import_claims (
  user_id TEXT COLLATE "C" NOT NULL,
  import_id TEXT COLLATE "C" NOT NULL,
  entity_id BIGINT NOT NULL REFERENCES entities ON DELETE CASCADE,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('entity', 'observation', 'relation')),
  value TEXT COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX import_claims_once ON import_claims (user_id, md5(import_id), entity_id, kind, md5(value));
CREATE INDEX import_claims_by_entity ON import_claims (entity_id, kind);
CREATE TABLE sources (
  user_id TEXT COLLATE "C" NOT NULL,
  derived TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, derived, source)
);
CREATE INDEX sources_by_source ON sources (user_id, source);
${toEntries('event_entries', 'events')}
${toEntries('profile_entries', 'user_profile')}
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
${firstTables.map(toPolicy).join('')}`;

/** When attributes, events and entities are forgotten, and what stays of those that were. */
const addEnds = `
CREATE TABLE ends (
  user_id TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, address)
);
CREATE INDEX ends_by_time ON ends (user_id, ends_at);
CREATE TABLE receipts (
  user_id TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  ended_at BIGINT NOT NULL,
  erased_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, address, ended_at)
);
${endTables.map((table) => `ALTER TABLE ${table} ALTER COLUMN user_id SET STATISTICS 0, ALTER COLUMN address SET STATISTICS 0;`).join('')}
${endTables.map(toPolicy).join('')}`;

/** Where memories are in Postgres. */
export const memorySchema: ServiceSchema = { name: SCHEMA, migrations: [create, addEnds], lock: 4_117_224 };

/** The role that statements run as. */
export const memoryRole: StatementRole = { schema: memorySchema, name: ROLE, newestTable: 'receipts' };

/** What is run once, after the tables were made: what the planner samples of texts would keep words of people who are forgotten. */
export const FIRST = `DO $$ DECLARE one RECORD; BEGIN
  FOR one IN SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = '${SCHEMA}' AND data_type IN ('text', 'bytea') LOOP
    EXECUTE format('ALTER TABLE ${SCHEMA}.%I ALTER COLUMN %I SET STATISTICS 0', one.table_name, one.column_name);
  END LOOP;
END $$;`;
