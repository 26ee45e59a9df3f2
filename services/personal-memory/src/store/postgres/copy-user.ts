import { ContextloomError } from '@contextloom/contracts';
import { type Database, readFingerprint } from '@contextloom/sqlite';
import { countUser as countInFile } from '../forget-user.ts';
import { countUser } from '../sql/count-user.ts';
import type { Sql, Value } from '../sql/sql.ts';

/** The columns that rows are copied with, and their types. */
type Columns = Readonly<Record<string, 'text' | 'bigint' | 'float8' | 'bytea'>>;
type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Rows that are written at once. */
const BATCH = 500;

/** Adds rows in their order. */
async function insert({ query }: Sql, table: string, columns: Columns, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(columns);
  const lists = Object.values(columns).map((type) => `?::${type}[]`);
  for (let at = 0; at < rows.length; at += BATCH) {
    const some = rows.slice(at, at + BATCH);
    const values = names.map((name) => some.map((row) => row[name] ?? null)) as readonly unknown[] as readonly Value[];
    await query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `t.${name}`).join(', ')}
       FROM unnest(${lists.join(', ')}) WITH ORDINALITY AS t (${names.join(', ')}, place) ORDER BY t.place`,
      values,
    );
  }
}

const profileColumns: Columns = {
  user_id: 'text',
  key: 'text',
  value: 'text',
  category: 'text',
  tags: 'text',
  confidence: 'float8',
};
const common: Columns = { user_id: 'text', number: 'bigint' };
const entityColumns: Columns = {
  ...common,
  entity_type: 'text',
  name: 'text',
  attributes: 'text',
  tags: 'text',
  status: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
};
const eventColumns: Columns = {
  ...common,
  event_type: 'text',
  description: 'text',
  timestamp: 'bigint',
  metadata: 'text',
  tags: 'text',
  importance: 'float8',
  created_at: 'bigint',
};
const relationColumns: Columns = {
  ...common,
  entity_id_1: 'bigint',
  entity_id_2: 'bigint',
  relation_type: 'text',
  metadata: 'text',
  created_at: 'bigint',
};
const entryColumns: Columns = { row: 'bigint', made_by: 'text', words: 'bytea', vector: 'bytea', norm: 'float8' };

/** One copying: from where, to where, of whom. */
interface Copying {
  readonly file: Database;
  readonly sql: Sql;
  readonly user: string;
}

const readRows = ({ file, user }: Copying, text: string): readonly Row[] => file.prepare<[string], Row>(text).all(user);

/** Numbers of rows in the file by those that callers know, and the rows in Postgres. */
async function toNewRows(
  { sql, user }: Copying,
  [table, name]: readonly [string, string],
  rows: readonly Row[],
): Promise<ReadonlyMap<unknown, number>> {
  const added = await sql.query<{ id: number; name: unknown }>(
    `SELECT id, ${name} AS name FROM ${table} WHERE user_id = ?`,
    [user],
  );
  const idOf = new Map(added.map(({ id, name: known }) => [known, id]));
  return new Map(rows.flatMap((row) => [[row['id'], idOf.get(row[name]) ?? 0] as const]));
}

/** Copies what the index has of rows; answers what derived it. */
async function copyEntries(
  copying: Copying,
  index: 'event_index' | 'profile_index',
  newRows: ReadonlyMap<unknown, number>,
): Promise<string> {
  const { file, sql } = copying;
  const madeBy = readFingerprint(file, { name: index }) ?? '';
  const [from, to] = index === 'event_index' ? ['events', 'event_entries'] : ['user_profile', 'profile_entries'];
  const text = `SELECT e.row, e.words, e.vector, e.norm FROM ${from} t JOIN ${index}_entries e ON e.row = t.id WHERE t.user_id = ?`;
  const entries = readRows(copying, text).map((entry) => ({
    ...entry,
    row: newRows.get(entry['row']) ?? 0,
    made_by: madeBy,
  }));
  await insert(sql, to, entryColumns, entries);
  return madeBy;
}

async function copyProfile(copying: Copying): Promise<string> {
  const { sql } = copying;
  const facts = readRows(copying, 'SELECT * FROM user_profile WHERE user_id = ? ORDER BY id');
  await insert(sql, 'user_profile', { ...profileColumns, updated_at: 'bigint' }, facts);
  const versions = readRows(copying, 'SELECT * FROM profile_history WHERE user_id = ? ORDER BY version');
  const versionColumns: Columns = { ...profileColumns, number: 'bigint', change: 'text', changed_at: 'bigint' };
  await insert(sql, 'profile_history', versionColumns, versions);
  return copyEntries(copying, 'profile_index', await toNewRows(copying, ['user_profile', 'key'], facts));
}

async function copyEntities(copying: Copying): Promise<ReadonlyMap<unknown, number>> {
  const { sql } = copying;
  const entities = readRows(copying, 'SELECT * FROM entities WHERE user_id = ? ORDER BY id');
  await insert(sql, 'entities', entityColumns, entities);
  const newRows = await toNewRows(copying, ['entities', 'number'], entities);
  const toNew = (row: Row, ...names: readonly string[]): Row => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [name, newRows.get(row[name]) ?? 0])),
  });
  const aliases = readRows(copying, 'SELECT * FROM entity_aliases WHERE user_id = ?');
  const aliasColumns: Columns = { user_id: 'text', entity_id: 'bigint', alias: 'text' };
  await insert(
    sql,
    'entity_aliases',
    aliasColumns,
    aliases.map((row) => toNew(row, 'entity_id')),
  );
  const relations = readRows(copying, 'SELECT * FROM entity_relations WHERE user_id = ? ORDER BY id');
  await insert(
    sql,
    'entity_relations',
    relationColumns,
    relations.map((row) => toNew(row, 'entity_id_1', 'entity_id_2')),
  );
  const claims = readRows(copying, 'SELECT * FROM import_claims WHERE user_id = ?');
  const claimColumns: Columns = { ...aliasColumns, import_id: 'text', kind: 'text', value: 'text' };
  const { alias: _, ...ofClaims } = claimColumns;
  await insert(
    sql,
    'import_claims',
    ofClaims,
    claims.map((row) => toNew(row, 'entity_id')),
  );
  return newRows;
}

async function copyEvents(copying: Copying, entityRows: ReadonlyMap<unknown, number>): Promise<string> {
  const { sql } = copying;
  const events = readRows(copying, 'SELECT * FROM events WHERE user_id = ? ORDER BY id');
  await insert(sql, 'events', eventColumns, events);
  const newRows = await toNewRows(copying, ['events', 'number'], events);
  for (const { id, parent_event_id: parent } of events) {
    if (parent == null) continue;
    await sql.query('UPDATE events SET parent_event_id = ? WHERE id = ?', [
      newRows.get(parent) ?? null,
      newRows.get(id) ?? 0,
    ]);
  }
  const links = readRows(
    copying,
    'SELECT l.* FROM events e JOIN event_entities l ON l.event_id = e.id WHERE e.user_id = ?',
  ).map((link) => ({
    ...link,
    event_id: newRows.get(link['event_id']) ?? 0,
    entity_id: entityRows.get(link['entity_id']) ?? 0,
  }));
  await insert(sql, 'event_entities', { event_id: 'bigint', entity_id: 'bigint', position: 'bigint' }, links);
  return copyEntries(copying, 'event_index', newRows);
}

/**
 * Copies all that a file has of a user, in the transaction of that user, and compares what there is of each kind; answers what derived the
 * index of it.
 * @throws ContextloomError `unavailable` where less arrived
 */
export async function copyUser(copying: Copying): Promise<readonly string[]> {
  const { file, sql, user } = copying;
  const ofProfile = await copyProfile(copying);
  const ofEvents = await copyEvents(copying, await copyEntities(copying));
  const sources = readRows(copying, 'SELECT * FROM sources WHERE user_id = ?');
  await insert(sql, 'sources', { user_id: 'text', derived: 'text', source: 'text' }, sources);
  const ofEnds: Columns = { user_id: 'text', address: 'text' };
  const ends = readRows(copying, 'SELECT * FROM ends WHERE user_id = ?');
  await insert(sql, 'ends', { ...ofEnds, ends_at: 'bigint' }, ends);
  const receipts = readRows(copying, 'SELECT * FROM receipts WHERE user_id = ?');
  await insert(sql, 'receipts', { ...ofEnds, ended_at: 'bigint', erased_at: 'bigint' }, receipts);
  const numbers = readRows(copying, 'SELECT * FROM last_numbers WHERE user_id = ?');
  await insert(sql, 'last_numbers', { user_id: 'text', kind: 'text', number: 'bigint' }, numbers);
  const [before, after] = [countInFile(file, user), await countUser(sql, user)];
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    const message = `not all of a memory arrived in Postgres: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;
    throw new ContextloomError('unavailable', message);
  }
  return [ofProfile, ofEvents];
}
