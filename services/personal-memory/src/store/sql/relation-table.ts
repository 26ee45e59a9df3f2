import { parseStoredJson } from '@contextloom/sqlite';
import type { Relation } from '../../domain/model.ts';
import { joinConditions } from './change-filter.ts';
import { createNextNumber } from './numbers.ts';
import type { Sql, StatementPart } from './sql.ts';

interface RelationRow {
  readonly id: number;
  readonly entity_id_1: number;
  readonly entity_id_2: number;
  readonly relation_type: string;
  readonly metadata: string;
  readonly created_at: number;
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

/** Those of one entity, by the index of each end. */
function toOfEntity(user: string, entityId: number): StatementPart {
  const one = '(SELECT id FROM entities WHERE user_id = ? AND number = ?)';
  return { sql: `(r.entity_id_1 = ${one} OR r.entity_id_2 = ${one})`, params: [user, entityId, user, entityId] };
}

async function select({ query }: Sql, conditions: readonly StatementPart[]): Promise<readonly Relation[]> {
  const where = joinConditions(conditions);
  const rows = await query<RelationRow>(
    `SELECT r.number AS id, a.number AS entity_id_1, b.number AS entity_id_2, r.relation_type, r.metadata, r.created_at
     FROM entity_relations r JOIN entities a ON a.id = r.entity_id_1 JOIN entities b ON b.id = r.entity_id_2
     WHERE ${where.sql} ORDER BY r.number`,
    where.params,
  );
  return rows.map(toRelation);
}

/** The relations of users' entities. */
export function createRelationTable(sql: Sql) {
  const { query, dialect } = sql;
  const nextNumber = createNextNumber(sql, 'entity_relations');
  return {
    list: (user: string, entityId?: number, type?: string): Promise<readonly Relation[]> =>
      select(sql, [
        { sql: 'r.user_id = ?', params: [user] },
        ...(entityId === undefined ? [] : [toOfEntity(user, entityId)]),
        ...(type === undefined ? [] : [{ sql: 'r.relation_type = ?', params: [type] }]),
      ]),
    get: async (user: string, id: number): Promise<Relation | undefined> =>
      (await select(sql, [{ sql: 'r.user_id = ? AND r.number = ?', params: [user, id] }]))[0],
    put: async (user: string, relation: Omit<Relation, 'id'>): Promise<number> => {
      const { entityIds, type, metadata, createdAt } = relation;
      const [first, second] = entityIds;
      const text = JSON.stringify(metadata);
      const [known] = await query<{ number: number }>(
        `SELECT r.number FROM entities a JOIN entities b ON b.user_id = a.user_id
         JOIN entity_relations r ON r.entity_id_1 = a.id AND r.entity_id_2 = b.id
         WHERE a.user_id = ? AND a.number = ? AND b.number = ? AND r.relation_type = ?`,
        [user, first, second, type],
      );
      if (known !== undefined) {
        await query('UPDATE entity_relations SET metadata = ? WHERE user_id = ? AND number = ?', [
          text,
          user,
          known.number,
        ]);
        return known.number;
      }
      const id = await nextNumber(user);
      await query(
        `INSERT INTO entity_relations (user_id, ${dialect.numberColumn}, entity_id_1, entity_id_2, relation_type, metadata, created_at)
         SELECT a.user_id, CAST(? AS BIGINT), a.id, b.id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT)
         FROM entities a JOIN entities b ON b.user_id = a.user_id WHERE a.user_id = ? AND a.number = ? AND b.number = ?`,
        [id, type, text, createdAt, user, first, second],
      );
      return id;
    },
    remove: async (user: string, id: number): Promise<boolean> => {
      const removed = await query('DELETE FROM entity_relations WHERE number = ? AND user_id = ? RETURNING number', [
        id,
        user,
      ]);
      return removed.length > 0;
    },
  };
}
