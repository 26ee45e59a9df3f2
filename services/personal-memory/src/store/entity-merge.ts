import type { Database } from '@contextloom/sqlite';

/** Builds what makes the events and relations of a user's entity those of another, and deletes it. */
export function createEntityMerge(database: Database): (user: string, from: number, into: number) => void {
  const rowOf = database
    .prepare<[string, number], number>('SELECT id FROM entities WHERE user_id = ? AND number = ?')
    .pluck();
  // What both are in already stays behind, and goes.
  const moves = [
    'UPDATE OR IGNORE event_entities SET entity_id = @into WHERE entity_id = @from',
    'DELETE FROM event_entities WHERE entity_id = @from',
    'UPDATE OR IGNORE entity_relations SET entity_id_1 = @into WHERE entity_id_1 = @from',
    'UPDATE OR IGNORE entity_relations SET entity_id_2 = @into WHERE entity_id_2 = @from',
    `DELETE FROM entity_relations WHERE @from IN (entity_id_1, entity_id_2)
     OR (entity_id_1 = @into AND entity_id_2 = @into)`,
    'DELETE FROM entities WHERE id = @from',
  ].map((sql) => database.prepare<{ from: number; into?: number }>(sql));
  return (user, fromNumber, intoNumber) => {
    const [from, into] = [rowOf.get(user, fromNumber), rowOf.get(user, intoNumber)];
    if (from === undefined || into === undefined) return;
    for (const move of moves) move.run({ from, into });
  };
}
