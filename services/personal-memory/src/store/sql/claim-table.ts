import type { Claim, ImportClaim } from '../../domain/store.ts';
import type { Sql } from './sql.ts';

const columns = 'c.kind, e.number AS "entityId", c.value';

/** What imports have added to entities, or share with another import. */
export function createClaimTable({ query }: Sql) {
  return {
    list: (user: string, importId: string): Promise<readonly Claim[]> =>
      query<Claim>(
        `SELECT ${columns} FROM import_claims c JOIN entities e ON e.id = c.entity_id
         WHERE c.user_id = ? AND c.import_id = ? ORDER BY c.entity_id, c.kind, c.value`,
        [user, importId],
      ),
    listAll: (user: string): Promise<readonly ImportClaim[]> =>
      query<ImportClaim>(
        `SELECT ${columns}, c.import_id AS "importId" FROM import_claims c JOIN entities e ON e.id = c.entity_id
         WHERE c.user_id = ? ORDER BY c.entity_id, c.kind, c.value, c.import_id`,
        [user],
      ),
    importsOf: async (user: string, { kind, entityId, value }: Claim): Promise<readonly string[]> => {
      const claims = await query<{ importId: string }>(
        `SELECT c.import_id AS "importId" FROM entities e JOIN import_claims c ON c.entity_id = e.id
         WHERE e.user_id = ? AND e.number = ? AND c.kind = ? AND c.value = ? ORDER BY c.import_id`,
        [user, entityId, kind, value],
      );
      return claims.map(({ importId }) => importId);
    },
    add: async (user: string, importId: string, { kind, entityId, value }: Claim): Promise<void> => {
      await query(
        `INSERT INTO import_claims (user_id, import_id, entity_id, kind, value)
         SELECT user_id, CAST(? AS TEXT), id, CAST(? AS TEXT), CAST(? AS TEXT) FROM entities WHERE user_id = ? AND number = ?
         ON CONFLICT DO NOTHING`,
        [importId, kind, value, user, entityId],
      );
    },
    drop: async (user: string, importId: string): Promise<void> => {
      await query('DELETE FROM import_claims WHERE user_id = ? AND import_id = ?', [user, importId]);
    },
  };
}
