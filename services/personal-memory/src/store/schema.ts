import { type IndexDefinition, type Migration, toIndexSchema, toWaitingSchema } from '@contextloom/sqlite';

const eventTable = { name: 'events', row: 'id', key: 'sort_key' };
const profileTable = { name: 'user_profile', row: 'id', key: 'sort_key' };

/** The index of the events of a database; `fingerprint` names what derived it. */
export function toEventIndex(dimensions: number, fingerprint: string): IndexDefinition {
  return { name: 'event_index', table: eventTable, dimensions, fingerprint };
}

/** The index of the attributes of a database. */
export function toProfileIndex(dimensions: number, fingerprint: string): IndexDefinition {
  return { name: 'profile_index', table: profileTable, dimensions, fingerprint };
}

/** The tables that identify a database of this server. */
export const memoryTables = ['user_profile', 'entities', 'events', 'event_entities'] as const;

/** Of two hits with the same score the row that was stored last comes first. */
const SORT_KEY = `sort_key TEXT NOT NULL GENERATED ALWAYS AS (printf('%016d', 9007199254740991 - id)) VIRTUAL`;

/** The tables whose rows callers name by a number, and their primary keys. */
const numbered = [
  { table: 'profile_history', row: 'version' },
  { table: 'entities', row: 'id' },
  { table: 'events', row: 'id' },
  { table: 'entity_relations', row: 'id' },
] as const;

/** Adds columns without updating rows, which would rebuild the index of a large table. */
function toNumberedTable({ table, row }: (typeof numbered)[number]): string {
  return `
ALTER TABLE ${table} ADD COLUMN own_number INTEGER;
ALTER TABLE ${table} ADD COLUMN number INTEGER GENERATED ALWAYS AS (coalesce(own_number, ${row})) VIRTUAL;
CREATE UNIQUE INDEX ${table}_by_number ON ${table} (user_id, number);
INSERT INTO last_numbers SELECT user_id, '${table}', max(${row}) FROM ${table} GROUP BY user_id;`;
}

/** Times are epoch milliseconds, UTC; tags, attributes and metadata are JSON. */
export const migrations: readonly Migration[] = [
  `
CREATE TABLE user_profile (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  category TEXT,
  tags TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  updated_at INTEGER NOT NULL,
  ${SORT_KEY},
  UNIQUE (user_id, key)
) STRICT;

CREATE TABLE profile_history (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  category TEXT,
  tags TEXT NOT NULL,
  confidence REAL NOT NULL,
  change TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX profile_history_by_key ON profile_history (user_id, key, version);

CREATE TABLE entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  name TEXT,
  attributes TEXT NOT NULL,
  tags TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entities_by_user ON entities (user_id, entity_type);

CREATE TABLE entity_aliases (
  entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  alias TEXT NOT NULL,
  PRIMARY KEY (entity_id, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_aliases_by_user ON entity_aliases (user_id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  description TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  tags TEXT NOT NULL,
  importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  parent_event_id INTEGER REFERENCES events (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  ${SORT_KEY}
) STRICT;
CREATE INDEX events_by_time ON events (user_id, timestamp, id);
CREATE INDEX events_by_type ON events (user_id, event_type, timestamp, id);
CREATE INDEX events_by_parent ON events (parent_event_id) WHERE parent_event_id IS NOT NULL;

CREATE TABLE event_entities (
  event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (event_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_entities_by_entity ON event_entities (entity_id, event_id);

CREATE TABLE entity_relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity_id_1 INTEGER NOT NULL REFERENCES entities (id),
  entity_id_2 INTEGER NOT NULL REFERENCES entities (id),
  relation_type TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (entity_id_1, entity_id_2, relation_type)
) STRICT;
CREATE INDEX entity_relations_by_user ON entity_relations (user_id, entity_id_1);
CREATE INDEX entity_relations_by_second ON entity_relations (entity_id_2);
${toIndexSchema({ name: 'event_index', table: eventTable })}
${toIndexSchema({ name: 'profile_index', table: profileTable })}`,
  // Each user has numbers of their own, so that an id says nothing about other users. Older rows keep their ids.
  `
CREATE TABLE last_numbers (
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;
${numbered.map(toNumberedTable).join('')}`,
  `${toWaitingSchema({ name: 'event_index' })}
${toWaitingSchema({ name: 'profile_index' })}`,
  // What each import has added, so that it can be taken back; two imports of the same thing both claim it.
  `
CREATE TABLE import_claims (
  user_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('entity', 'observation', 'relation')),
  value TEXT NOT NULL,
  PRIMARY KEY (user_id, import_id, entity_id, kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_claims_by_entity ON import_claims (entity_id, kind, value);`,
  // What attributes and events were drawn from, here or in another store.
  `
CREATE TABLE sources (
  user_id TEXT NOT NULL,
  derived TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (user_id, derived, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_source ON sources (user_id, source);`,
  // When attributes, events and entities are forgotten, and what stays of those that were.
  `
CREATE TABLE ends (
  user_id TEXT NOT NULL,
  address TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX ends_by_time ON ends (user_id, ends_at);
CREATE TABLE receipts (
  user_id TEXT NOT NULL,
  address TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  erased_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address, ended_at)
) STRICT, WITHOUT ROWID;`,
];
