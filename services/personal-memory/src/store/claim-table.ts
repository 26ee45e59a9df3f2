import type { Database } from '@contextloom/sqlite';
import type { Claim, ImportClaim } from '../domain/store.ts';

/** What imports have added to entities, or share with another import, in one database. */
export function createClaimTable(database: Database) {
  const columns = 'c.kind, e.number AS entityId, c.value';
  const list = database.prepare<[string, string], Claim>(
    `SELECT ${columns} FROM import_claims c JOIN entities e ON e.id = c.entity_id
     WHERE c.user_id = ? AND c.import_id = ? ORDER BY c.entity_id, c.kind, c.value`,
  );
  const listAll = database.prepare<[string], ImportClaim>(
    `SELECT ${columns}, c.import_id AS importId FROM import_claims c JOIN entities e ON e.id = c.entity_id
     WHERE c.user_id = ? ORDER BY c.entity_id, c.kind, c.value, c.import_id`,
  );
  const isClaimed = database.prepare<[string, number, string, string]>(
    `SELECT 1 FROM entities e JOIN import_claims c ON c.entity_id = e.id
     WHERE e.user_id = ? AND e.number = ? AND c.kind = ? AND c.value = ?`,
  );
  const add = database.prepare<[string, string, string, string, number]>(
    `INSERT OR IGNORE INTO import_claims (user_id, import_id, entity_id, kind, value)
     SELECT user_id, ?, id, ?, ? FROM entities WHERE user_id = ? AND number = ?`,
  );
  const drop = database.prepare<[string, string]>('DELETE FROM import_claims WHERE user_id = ? AND import_id = ?');
  return {
    list: (user: string, importId: string): readonly Claim[] => list.all(user, importId),
    listAll: (user: string): readonly ImportClaim[] => listAll.all(user),
    isClaimed: (user: string, { kind, entityId, value }: Claim): boolean =>
      isClaimed.get(user, entityId, kind, value) !== undefined,
    add: (user: string, importId: string, { kind, entityId, value }: Claim): void =>
      void add.run(importId, kind, value, user, entityId),
    drop: (user: string, importId: string): void => void drop.run(user, importId),
  };
}
