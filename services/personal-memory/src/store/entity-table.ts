import type { EntityType, Status } from '@contextloom/contracts/personal-memory';
import { createPrepare, type Database, parseStoredJson, type SqlPart } from '@contextloom/sqlite';
import type { Entity } from '../domain/model.ts';
import type { EntityFilter, EntityName, Page } from '../domain/store.ts';
import { joinConditions, toChangeConditions } from './change-filter.ts';
import { createNextNumber } from './schema.ts';

interface EntityRow {
  readonly id: number;
  readonly entity_type: EntityType;
  readonly name: string | null;
  readonly aliases: string;
  readonly attributes: string;
  readonly tags: string;
  readonly status: Status;
  readonly created_at: number;
  readonly updated_at: number;
}

function toEntity({ id, entity_type, name, status, ...row }: EntityRow): Entity {
  return {
    id,
    type: entity_type,
    name,
    aliases: parseStoredJson(row.aliases),
    attributes: parseStoredJson(row.attributes),
    tags: parseStoredJson(row.tags),
    status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const columns = `number AS id, entity_type, name, attributes, tags, status, created_at, updated_at,
  (SELECT json_group_array(alias) FROM (
    SELECT alias FROM entity_aliases WHERE entity_id = entities.id AND alias IS NOT entities.name ORDER BY alias
  )) AS aliases`;

/** The condition that a user's entities meet under a filter. */
function toWhere(user: string, { type, status, after, ...changed }: EntityFilter): SqlPart {
  return joinConditions([
    { sql: 'user_id = ?', params: [user] },
    ...(type === undefined ? [] : [{ sql: 'entity_type = ?', params: [type] }]),
    ...(status === undefined ? [] : [{ sql: 'status = ?', params: [status] }]),
    ...(after === undefined ? [] : [{ sql: 'number > ?', params: [after] }]),
    ...toChangeConditions(changed),
  ]);
}

/** Builds the function that moves the events and relations of a user's entity to another, and deletes it. */
function createEntityMerge(database: Database): (user: string, from: number, into: number) => void {
  const rowOf = database
    .prepare<[string, number], number>('SELECT id FROM entities WHERE user_id = ? AND number = ?')
    .pluck();
  // Links that both have already are deleted.
  const moves = [
    'UPDATE OR IGNORE event_entities SET entity_id = @into WHERE entity_id = @from',
    'DELETE FROM event_entities WHERE entity_id = @from',
    'UPDATE OR IGNORE entity_relations SET entity_id_1 = @into WHERE entity_id_1 = @from',
    'UPDATE OR IGNORE entity_relations SET entity_id_2 = @into WHERE entity_id_2 = @from',
    `DELETE FROM entity_relations WHERE @from IN (entity_id_1, entity_id_2)
     OR (entity_id_1 = @into AND entity_id_2 = @into)`,
    `UPDATE OR IGNORE import_claims SET entity_id = @into WHERE entity_id = @from AND kind <> 'entity'`,
    'DELETE FROM entities WHERE id = @from',
  ].map((sql) => database.prepare<{ from: number; into?: number }>(sql));
  return (user, fromNumber, intoNumber) => {
    const [from, into] = [rowOf.get(user, fromNumber), rowOf.get(user, intoNumber)];
    if (from === undefined || into === undefined) return;
    for (const move of moves) move.run({ from, into });
  };
}

/** The entities of users in one database, and their aliases. */
export function createEntityTable(database: Database) {
  const prepare = createPrepare(database);
  const get = database.prepare<[number, string], EntityRow>(
    `SELECT ${columns} FROM entities WHERE number = ? AND user_id = ?`,
  );
  const names = database.prepare<{ user: string }, EntityName>(
    `SELECT number AS entityId, name FROM entities WHERE user_id = @user AND name IS NOT NULL
     UNION ALL SELECT n.number, a.alias FROM entity_aliases a JOIN entities n ON n.id = a.entity_id WHERE a.user_id = @user`,
  );
  const nextNumber = createNextNumber(database, 'entities');
  const add = database.prepare(
    `INSERT INTO entities (user_id, own_number, entity_type, name, attributes, tags, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const put = database.prepare(
    'UPDATE entities SET name = ?, attributes = ?, tags = ?, status = ?, updated_at = ? WHERE number = ? AND user_id = ?',
  );
  const addAlias = database.prepare<[string, number, string]>(
    `INSERT OR IGNORE INTO entity_aliases (entity_id, user_id, alias)
     SELECT id, user_id, ? FROM entities WHERE number = ? AND user_id = ?`,
  );
  const remove = database.prepare<[number, string]>('DELETE FROM entities WHERE number = ? AND user_id = ?');
  return {
    list: (user: string, filter: EntityFilter = {}, { limit = -1, offset = 0 }: Page = {}): readonly Entity[] => {
      const { sql, params } = toWhere(user, filter);
      const order = filter.order === 'updated' ? 'updated_at DESC, id DESC' : 'number';
      // The page first: aliases are read for its rows alone.
      return prepare<EntityRow>(
        `SELECT ${columns} FROM entities WHERE id IN
         (SELECT id FROM entities WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?) ORDER BY ${order}`,
      )
        .all(...params, limit, offset)
        .map(toEntity);
    },
    count: (user: string, filter: EntityFilter = {}): number => {
      const { sql, params } = toWhere(user, filter);
      return (
        prepare<{ count: number }>(`SELECT count(*) AS count FROM entities WHERE ${sql}`).get(...params)?.count ?? 0
      );
    },
    names: (user: string): readonly EntityName[] => names.all({ user }),
    get: (user: string, id: number): Entity | undefined => {
      const row = get.get(id, user);
      return row && toEntity(row);
    },
    add: (user: string, entity: Omit<Entity, 'id'>, own?: number): number => {
      const { type, name, aliases, attributes, tags, status, createdAt, updatedAt } = entity;
      const texts = [JSON.stringify(attributes), JSON.stringify(tags)];
      const id = nextNumber(user, own);
      add.run(user, id, type, name, ...texts, status, createdAt, updatedAt);
      for (const alias of aliases) addAlias.run(alias, id, user);
      return id;
    },
    put: (user: string, { id, name, attributes, tags, status, updatedAt }: Entity): void =>
      void put.run(name, JSON.stringify(attributes), JSON.stringify(tags), status, updatedAt, id, user),
    absorb: createEntityMerge(database),
    remove: (user: string, id: number): void => void remove.run(id, user),
    addAlias: (user: string, entityId: number, alias: string): void => void addAlias.run(alias, entityId, user),
  };
}
