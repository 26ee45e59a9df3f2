import { createHash } from 'node:crypto';
import type { Sql, Value } from '../sql/sql.ts';

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** The rows of an index as one of the engines has them: by the number of an event, or the key of an attribute. */
export interface EntryTables {
  /** Reads `name`, `words`, `vector`, `norm` and `made_by` of a user. */
  readonly read: Readonly<Record<'events' | 'user_profile', string>>;
  readonly tableOf: Readonly<Record<'events' | 'user_profile', string>>;
  readonly columns: readonly string[];
}

/** All that a store has of a user, in words that both engines have: rows name each other by the numbers that callers know. */
export interface Snapshot {
  /** What is true, table by table. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** What is derived: it is copied, and not compared. */
  readonly entries: Readonly<Record<'events' | 'user_profile', readonly Row[]>>;
}

/** Rows whose order is that in which they came, which decides between equal hits. */
const ORDERED = {
  user_profile:
    'SELECT key, value, category, tags, confidence, updated_at FROM user_profile WHERE user_id = ? ORDER BY id',
  profile_history:
    'SELECT number, key, value, category, tags, confidence, change, changed_at FROM profile_history WHERE user_id = ? ORDER BY number',
  entities:
    'SELECT number, entity_type, name, attributes, tags, status, created_at, updated_at FROM entities WHERE user_id = ? ORDER BY id',
  events: `SELECT e.number, e.event_type, e.description, e.timestamp, e.metadata, e.tags, e.importance, e.created_at, p.number AS parent
     FROM events e LEFT JOIN events p ON p.id = e.parent_event_id WHERE e.user_id = ? ORDER BY e.id`,
  entity_relations: `SELECT r.number, a.number AS entity_id_1, b.number AS entity_id_2, r.relation_type, r.metadata, r.created_at
     FROM entity_relations r JOIN entities a ON a.id = r.entity_id_1 JOIN entities b ON b.id = r.entity_id_2
     WHERE r.user_id = ? ORDER BY r.id`,
};
/** Rows that have none. */
const SETS = {
  entity_aliases:
    'SELECT e.number AS entity_id, a.alias FROM entity_aliases a JOIN entities e ON e.id = a.entity_id WHERE a.user_id = ?',
  event_entities: `SELECT v.number AS event_id, e.number AS entity_id, l.position FROM events v
     JOIN event_entities l ON l.event_id = v.id JOIN entities e ON e.id = l.entity_id WHERE v.user_id = ?`,
  import_claims: `SELECT c.import_id, e.number AS entity_id, c.kind, c.value FROM import_claims c
     JOIN entities e ON e.id = c.entity_id WHERE c.user_id = ?`,
  sources: 'SELECT derived, source FROM sources WHERE user_id = ?',
  ends: 'SELECT address, ends_at FROM ends WHERE user_id = ?',
  receipts: 'SELECT address, ended_at, erased_at FROM receipts WHERE user_id = ?',
  last_numbers: 'SELECT kind, number FROM last_numbers WHERE user_id = ?',
};

function toSorted(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => [JSON.stringify(row), row] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, row]) => row);
}

/** Reads what a store has of a user, in one transaction of its caller. */
export async function readSnapshot({ query }: Sql, user: string, { read }: EntryTables): Promise<Snapshot> {
  const rows: Record<string, readonly Row[]> = {};
  for (const [table, text] of Object.entries(ORDERED)) rows[table] = await query<Row>(text, [user]);
  for (const [table, text] of Object.entries(SETS)) rows[table] = toSorted(await query<Row>(text, [user]));
  const entries = {
    events: await query<Row>(read.events, [user]),
    user_profile: await query<Row>(read.user_profile, [user]),
  };
  return { rows, entries };
}

/** How many rows there are, and a digest of all of them and their order. */
export function toDigest({ rows }: Snapshot): string {
  const hash = createHash('sha256');
  let count = 0;
  for (const [table, some] of Object.entries(rows)) {
    count += some.length;
    hash.update(JSON.stringify([table, some.map((row) => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))]));
  }
  return `${count}:${hash.digest('hex')}`;
}

/** Rows that are written by one statement. */
const BATCH = 200;

async function insert({ query }: Sql, table: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  for (let at = 0; at < rows.length; at += BATCH) {
    const some = rows.slice(at, at + BATCH);
    const places = some.map(() => `(${names.map(() => '?').join(', ')})`).join(', ');
    const values = some.flatMap((row): readonly Value[] => names.map((name) => row[name] ?? null));
    await query(`INSERT INTO ${table} (${names.join(', ')}) VALUES ${places}`, values);
  }
}

type Ids = ReadonlyMap<unknown, number>;

async function readIds({ query }: Sql, table: string, name: string, user: string): Promise<Ids> {
  const rows = await query<{ id: number; name: unknown }>(
    `SELECT id, ${name} AS name FROM ${table} WHERE user_id = ?`,
    [user],
  );
  return new Map(rows.map(({ id, name: known }) => [known, id]));
}

const withIds = (row: Row, ids: Ids, name: string): Row => ({ ...row, [name]: ids.get(row[name]) ?? null });

async function writeEvents(sql: Sql, user: string, events: readonly Row[], own: (row: Row) => Row): Promise<Ids> {
  const rows = events.map(({ parent: _, ...row }) => own(row));
  await insert(sql, 'events', rows);
  const ids = await readIds(sql, 'events', 'number', user);
  for (const { number, parent } of events) {
    if (parent == null) continue;
    const values = [ids.get(parent) ?? null, ids.get(number) ?? null];
    await sql.query('UPDATE events SET parent_event_id = ? WHERE id = ?', values);
  }
  return ids;
}

async function writeEntries(
  sql: Sql,
  tables: EntryTables,
  entries: Snapshot['entries'],
  idsOf: Readonly<Record<'events' | 'user_profile', Ids>>,
): Promise<void> {
  for (const table of ['events', 'user_profile'] as const) {
    const rows = entries[table].map((entry) => {
      const row: Row = { ...entry, row: idsOf[table].get(entry['name']) ?? null };
      return Object.fromEntries(tables.columns.map((name) => [name, row[name] ?? null]));
    });
    await insert(sql, tables.tableOf[table], rows);
  }
}

/** Writes a snapshot for a user who has nothing in the store, in one transaction of its caller. */
export async function writeSnapshot(sql: Sql, user: string, snapshot: Snapshot, tables: EntryTables): Promise<void> {
  const { numberColumn } = sql.dialect;
  const of = (table: string): readonly Row[] => snapshot.rows[table] ?? [];
  const own = ({ number, ...row }: Row): Row => ({
    user_id: user,
    ...(number !== undefined && { [numberColumn]: number }),
    ...row,
  });
  for (const table of ['user_profile', 'profile_history', 'entities']) await insert(sql, table, of(table).map(own));
  const entities = await readIds(sql, 'entities', 'number', user);
  const events = await writeEvents(sql, user, of('events'), own);
  const relations = of('entity_relations').map((row) => withIds(own(row), entities, 'entity_id_1'));
  await insert(
    sql,
    'entity_relations',
    relations.map((row) => withIds(row, entities, 'entity_id_2')),
  );
  const ofUser = (row: Row): Row => ({ user_id: user, ...row });
  for (const table of ['entity_aliases', 'import_claims']) {
    const rows = of(table).map((row) => withIds(ofUser(row), entities, 'entity_id'));
    await insert(sql, table, rows);
  }
  const links = of('event_entities').map((row) => withIds(withIds(row, entities, 'entity_id'), events, 'event_id'));
  await insert(sql, 'event_entities', links);
  // A counter keeps its name: it counts what there was.
  for (const table of ['sources', 'ends', 'receipts', 'last_numbers']) await insert(sql, table, of(table).map(ofUser));
  const user_profile = await readIds(sql, 'user_profile', 'key', user);
  await writeEntries(sql, tables, snapshot.entries, { events, user_profile });
}
