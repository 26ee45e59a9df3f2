import type { ErasedCount } from '@contextloom/contracts';
import type { Sql } from './sql.ts';

/** Every table with rows of users, in the order in which rows can be deleted; the rest hangs on these by triggers and keys. */
export const userTables = [
  { what: 'records of imports', table: 'import_claims' },
  { what: 'records of sources', table: 'sources' },
  { what: 'ends', table: 'ends' },
  { what: 'receipts of what has ended', table: 'receipts' },
  { what: 'relations', table: 'entity_relations' },
  { what: 'events', table: 'events' },
  { what: 'other names', table: 'entity_aliases' },
  { what: 'entities', table: 'entities' },
  { what: 'facts', table: 'user_profile' },
  { what: 'earlier values', table: 'profile_history' },
  { what: 'counters', table: 'last_numbers' },
] as const;

/** Counts what there is of a user. */
export async function countUser({ query }: Sql, user: string): Promise<readonly ErasedCount[]> {
  const counts: ErasedCount[] = [];
  for (const { what, table } of userTables) {
    const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE user_id = ?`, [user]);
    counts.push({ what, count: row?.count ?? 0 });
  }
  return counts;
}

/** What a listing of users says of one: the kinds that there are. */
export const toListed = (counts: readonly ErasedCount[]): readonly ErasedCount[] =>
  counts.filter(({ what, count }) => count > 0 && what !== 'counters');

/** The users of a store, sorted. */
export const USERS = `SELECT user_id FROM user_profile UNION SELECT user_id FROM profile_history
  UNION SELECT user_id FROM entities UNION SELECT user_id FROM events ORDER BY user_id`;
