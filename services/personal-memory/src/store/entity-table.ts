import { type Database, parseStoredJson } from '@contextloom/sqlite';
import type { Entity, EntityType, Relation, Status } from '../domain/model.ts';
import type { EntityFilter } from '../domain/store.ts';

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

interface RelationRow {
  readonly id: number;
  readonly entity_id_1: number;
  readonly entity_id_2: number;
  readonly relation_type: string;
  readonly metadata: string;
  readonly created_at: number;
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

function toRelation(row: RelationRow): Relation {
  return {
    id: row.id,
    entityIds: [row.entity_id_1, row.entity_id_2],
    type: row.relation_type,
    metadata: parseStoredJson(row.metadata),
    createdAt: row.created_at,
  };
}

const columns = `id, entity_type, name, attributes, tags, status, created_at, updated_at,
  (SELECT json_group_array(alias) FROM (SELECT alias FROM entity_aliases WHERE entity_id = entities.id ORDER BY alias))
  AS aliases`;

/** The entities of users in one database, and their other names. */
export function createEntityTable(database: Database) {
  const list = database.prepare<{ user: string; type: string | null; status: string | null }, EntityRow>(
    `SELECT ${columns} FROM entities WHERE user_id = @user AND (@type IS NULL OR entity_type = @type)
     AND (@status IS NULL OR status = @status)
     ORDER BY id`,
  );
  const get = database.prepare<[number, string], EntityRow>(
    `SELECT ${columns} FROM entities WHERE id = ? AND user_id = ?`,
  );
  const add = database.prepare(
    `INSERT INTO entities (user_id, entity_type, name, attributes, tags, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const put = database.prepare(
    'UPDATE entities SET name = ?, attributes = ?, tags = ?, status = ?, updated_at = ? WHERE id = ? AND user_id = ?',
  );
  const addAlias = database.prepare<[string, number, string]>(
    `INSERT OR IGNORE INTO entity_aliases (entity_id, user_id, alias)
     SELECT id, user_id, ? FROM entities WHERE id = ? AND user_id = ?`,
  );
  return {
    list: (user: string, { type, status }: EntityFilter = {}): readonly Entity[] =>
      list.all({ user, type: type ?? null, status: status ?? null }).map(toEntity),
    get: (user: string, id: number): Entity | undefined => {
      const row = get.get(id, user);
      return row && toEntity(row);
    },
    add: (user: string, entity: Omit<Entity, 'id'>): number => {
      const { type, name, aliases, attributes, tags, status, createdAt, updatedAt } = entity;
      const texts = [JSON.stringify(attributes), JSON.stringify(tags)];
      const id = Number(add.run(user, type, name, ...texts, status, createdAt, updatedAt).lastInsertRowid);
      for (const alias of aliases) addAlias.run(alias, id, user);
      return id;
    },
    put: (user: string, { id, name, attributes, tags, status, updatedAt }: Entity): void =>
      void put.run(name, JSON.stringify(attributes), JSON.stringify(tags), status, updatedAt, id, user),
    addAlias: (user: string, entityId: number, alias: string): void => void addAlias.run(alias, entityId, user),
  };
}

/** What the entities of users are to each other. */
export function createRelationTable(database: Database) {
  const list = database.prepare<{ user: string; entity: number | null; type: string | null }, RelationRow>(
    `SELECT id, entity_id_1, entity_id_2, relation_type, metadata, created_at FROM entity_relations
     WHERE user_id = @user AND (@entity IS NULL OR @entity IN (entity_id_1, entity_id_2))
     AND (@type IS NULL OR relation_type = @type)
     ORDER BY id`,
  );
  const put = database
    .prepare<[string, number, number, string, string, number], number>(
      `INSERT INTO entity_relations (user_id, entity_id_1, entity_id_2, relation_type, metadata, created_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (entity_id_1, entity_id_2, relation_type)
       DO UPDATE SET metadata = excluded.metadata RETURNING id`,
    )
    .pluck();
  const remove = database.prepare<[number, string]>('DELETE FROM entity_relations WHERE id = ? AND user_id = ?');
  return {
    list: (user: string, entityId?: number, type?: string): readonly Relation[] =>
      list.all({ user, entity: entityId ?? null, type: type ?? null }).map(toRelation),
    put: (user: string, { entityIds, type, metadata, createdAt }: Omit<Relation, 'id'>): number =>
      put.get(user, ...entityIds, type, JSON.stringify(metadata), createdAt) ?? 0,
    remove: (user: string, id: number): boolean => remove.run(id, user).changes > 0,
  };
}
