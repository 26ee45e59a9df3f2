import { type Database, parseStoredJson } from '@contextloom/sqlite';
import type { Relation } from '../domain/model.ts';
import { createNextNumber } from './schema.ts';

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

/** The relations of users' entities in one database. */
export function createRelationTable(database: Database) {
  const list = database.prepare<{ user: string; entity: number | null; type: string | null }, RelationRow>(
    `SELECT r.number AS id, a.number AS entity_id_1, b.number AS entity_id_2, r.relation_type, r.metadata, r.created_at
     FROM entity_relations r JOIN entities a ON a.id = r.entity_id_1 JOIN entities b ON b.id = r.entity_id_2
     WHERE r.user_id = @user AND (@entity IS NULL OR @entity IN (a.number, b.number))
     AND (@type IS NULL OR r.relation_type = @type)
     ORDER BY r.number`,
  );
  const find = database
    .prepare<[string, number, number, string], number>(
      `SELECT r.number FROM entities a JOIN entities b ON b.user_id = a.user_id
       JOIN entity_relations r ON r.entity_id_1 = a.id AND r.entity_id_2 = b.id
       WHERE a.user_id = ? AND a.number = ? AND b.number = ? AND r.relation_type = ?`,
    )
    .pluck();
  const replace = database.prepare<[string, string, number]>(
    'UPDATE entity_relations SET metadata = ? WHERE user_id = ? AND number = ?',
  );
  const nextNumber = createNextNumber(database, 'entity_relations');
  const add = database.prepare<[number, string, string, number, string, number, number]>(
    `INSERT INTO entity_relations (user_id, own_number, entity_id_1, entity_id_2, relation_type, metadata, created_at)
     SELECT a.user_id, ?, a.id, b.id, ?, ?, ? FROM entities a JOIN entities b ON b.user_id = a.user_id
     WHERE a.user_id = ? AND a.number = ? AND b.number = ?`,
  );
  const remove = database.prepare<[number, string]>('DELETE FROM entity_relations WHERE number = ? AND user_id = ?');
  return {
    list: (user: string, entityId?: number, type?: string): readonly Relation[] =>
      list.all({ user, entity: entityId ?? null, type: type ?? null }).map(toRelation),
    put: (user: string, { entityIds: [first, second], type, metadata, createdAt }: Omit<Relation, 'id'>): number => {
      const text = JSON.stringify(metadata);
      const known = find.get(user, first, second, type);
      if (known !== undefined) replace.run(text, user, known);
      const id = known ?? nextNumber(user);
      if (known === undefined) add.run(id, type, text, createdAt, user, first, second);
      return id;
    },
    remove: (user: string, id: number): boolean => remove.run(id, user).changes > 0,
  };
}
