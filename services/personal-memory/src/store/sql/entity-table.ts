import type { EntityType, Status } from '@contextloom/contracts/personal-memory';
import { parseStoredJson } from '@contextloom/sqlite';
import type { Entity } from '../../domain/model.ts';
import type { EntityFilter, EntityName, Page } from '../../domain/store.ts';
import { countRows, joinConditions, toChangeConditions } from './change-filter.ts';
import { createNextNumber } from './numbers.ts';
import { type Dialect, EVERYTHING, type Sql, type StatementPart, toList } from './sql.ts';

interface EntityRow {
  readonly id: number;
  readonly entity_type: EntityType;
  readonly name: string | null;
  readonly aliases: string | readonly string[];
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
    aliases: toList(row.aliases),
    attributes: parseStoredJson(row.attributes),
    tags: parseStoredJson(row.tags),
    status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const toColumns = ({ collect }: Dialect): string => `number AS id, entity_type, name, attributes, tags, status,
  created_at, updated_at, ${collect(`SELECT a.alias AS v FROM entity_aliases a
    WHERE a.entity_id = entities.id AND a.alias IS DISTINCT FROM entities.name ORDER BY a.alias`)} AS aliases`;

/** The condition that a user's entities meet under a filter. */
function toWhere(user: string, filter: EntityFilter, dialect: Dialect): StatementPart {
  const { type, status, after, ...changed } = filter;
  return joinConditions([
    { sql: 'user_id = ?', params: [user] },
    ...(type === undefined ? [] : [{ sql: 'entity_type = ?', params: [type] }]),
    ...(status === undefined ? [] : [{ sql: 'status = ?', params: [status] }]),
    ...(after === undefined ? [] : [{ sql: 'number > ?', params: [after] }]),
    ...toChangeConditions(changed, dialect),
  ]);
}

/** What moves an entity's rows to another: links that both have already stay where they are, and go with the entity. */
const MOVES = [
  `UPDATE event_entities SET entity_id = :into WHERE entity_id = :from
   AND event_id NOT IN (SELECT event_id FROM event_entities WHERE entity_id = :into)`,
  'DELETE FROM event_entities WHERE entity_id = :from',
  ...[
    ['entity_id_1', 'entity_id_2'],
    ['entity_id_2', 'entity_id_1'],
  ].map(
    ([one, other]) => `UPDATE entity_relations SET ${one} = :into WHERE ${one} = :from AND NOT EXISTS (
       SELECT 1 FROM entity_relations o WHERE o.${one} = :into AND o.${other} = entity_relations.${other}
       AND o.relation_type = entity_relations.relation_type)`,
  ),
  'DELETE FROM entity_relations WHERE entity_id_1 = :from OR entity_id_2 = :from',
  'DELETE FROM entity_relations WHERE entity_id_1 = :into AND entity_id_2 = :into',
  `UPDATE import_claims SET entity_id = :into WHERE entity_id = :from AND kind <> 'entity' AND NOT EXISTS (
     SELECT 1 FROM import_claims o WHERE o.user_id = import_claims.user_id AND o.import_id = import_claims.import_id
     AND o.entity_id = :into AND o.kind = import_claims.kind AND o.value = import_claims.value)`,
  'DELETE FROM entities WHERE id = :from',
];

/** Builds the function that moves the events and relations of a user's entity to another, and deletes it. */
function createEntityMerge({ query }: Sql): (user: string, from: number, into: number) => Promise<void> {
  const rowOf = async (user: string, number: number): Promise<number | undefined> =>
    (await query<{ id: number }>('SELECT id FROM entities WHERE user_id = ? AND number = ?', [user, number]))[0]?.id;
  return async (user, fromNumber, intoNumber) => {
    const [from, into] = [await rowOf(user, fromNumber), await rowOf(user, intoNumber)];
    if (from === undefined || into === undefined) return;
    for (const move of MOVES) {
      const params = Array.from(move.matchAll(/:(from|into)/g), ([, name]) => (name === 'from' ? from : into));
      await query(move.replaceAll(/:(?:from|into)/g, '?'), params);
    }
  };
}

/** The entities of users, and their aliases. */
export function createEntityTable(sql: Sql) {
  const { query, dialect } = sql;
  const nextNumber = createNextNumber(sql, 'entities');
  const columns = toColumns(dialect);
  const addAlias = async (user: string, entityId: number, alias: string): Promise<void> => {
    await query(
      `INSERT INTO entity_aliases (entity_id, user_id, alias)
       SELECT id, user_id, CAST(? AS TEXT) FROM entities WHERE number = ? AND user_id = ? ON CONFLICT DO NOTHING`,
      [alias, entityId, user],
    );
  };
  return {
    list: async (user: string, filter: EntityFilter = {}, page: Page = {}): Promise<readonly Entity[]> => {
      const where = toWhere(user, filter, dialect);
      const order = filter.order === 'updated' ? 'updated_at DESC, number DESC' : 'number';
      // The page first: aliases are read for its rows alone.
      const rows = await query<EntityRow>(
        `SELECT ${columns} FROM entities WHERE id IN
         (SELECT id FROM entities WHERE ${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?) ORDER BY ${order}`,
        [...where.params, page.limit ?? EVERYTHING, page.offset ?? 0],
      );
      return rows.map(toEntity);
    },
    count: (user: string, filter: EntityFilter = {}): Promise<number> =>
      countRows(sql, 'entities', toWhere(user, filter, dialect)),
    names: (user: string): Promise<readonly EntityName[]> =>
      query<EntityName>(
        `SELECT number AS "entityId", name FROM entities WHERE user_id = ? AND name IS NOT NULL
         UNION ALL SELECT n.number, a.alias FROM entity_aliases a JOIN entities n ON n.id = a.entity_id WHERE a.user_id = ?`,
        [user, user],
      ),
    get: async (user: string, id: number): Promise<Entity | undefined> => {
      const rows = await query<EntityRow>(`SELECT ${columns} FROM entities WHERE number = ? AND user_id = ?`, [
        id,
        user,
      ]);
      return rows.map(toEntity)[0];
    },
    add: async (user: string, entity: Omit<Entity, 'id'>, own?: number): Promise<number> => {
      const { type, name, aliases, attributes, tags, status, createdAt, updatedAt } = entity;
      const texts = [JSON.stringify(attributes), JSON.stringify(tags)];
      const id = await nextNumber(user, own);
      await query(
        `INSERT INTO entities
           (user_id, ${dialect.numberColumn}, entity_type, name, attributes, tags, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [user, id, type, name, ...texts, status, createdAt, updatedAt],
      );
      for (const alias of aliases) await addAlias(user, id, alias);
      return id;
    },
    put: async (user: string, { id, name, attributes, tags, status, updatedAt }: Entity): Promise<void> => {
      await query(
        'UPDATE entities SET name = ?, attributes = ?, tags = ?, status = ?, updated_at = ? WHERE number = ? AND user_id = ?',
        [name, JSON.stringify(attributes), JSON.stringify(tags), status, updatedAt, id, user],
      );
    },
    absorb: createEntityMerge(sql),
    unlink: async (user: string, id: number): Promise<void> => {
      await query(
        'DELETE FROM event_entities WHERE entity_id IN (SELECT id FROM entities WHERE number = ? AND user_id = ?)',
        [id, user],
      );
    },
    remove: async (user: string, id: number): Promise<void> => {
      await query('DELETE FROM entities WHERE number = ? AND user_id = ?', [id, user]);
    },
    addAlias,
  };
}
