import type { End } from '../../domain/store.ts';
import type { Sql } from './sql.ts';

/** The users of a store who have something whose time has come. */
export const ENDED_USERS = 'SELECT DISTINCT user_id FROM ends WHERE ends_at <= ?';

/** When attributes, events and entities are forgotten, by their addresses, and receipts of those that were. */
export function createEndTable({ query, firstEnd }: Sql) {
  return {
    all: async (user: string): Promise<ReadonlyMap<string, number>> => {
      const rows = await query<{ address: string; at: number }>(
        'SELECT address, ends_at AS at FROM ends WHERE user_id = ?',
        [user],
      );
      return new Map(rows.map(({ address, at }) => [address, at]));
    },
    of: async (user: string, address: string): Promise<number | undefined> => {
      const [row] = await query<{ at: number }>('SELECT ends_at AS at FROM ends WHERE user_id = ? AND address = ?', [
        user,
        address,
      ]);
      return row?.at;
    },
    ended: (user: string, now: number): Promise<readonly End[]> =>
      query<End>(
        'SELECT address, ends_at AS at FROM ends WHERE user_id = ? AND ends_at <= ? ORDER BY ends_at, address',
        [user, now],
      ),
    hasEnded: async (user: string, now: number): Promise<boolean> => {
      if (firstEnd !== undefined) return firstEnd <= now;
      const found = await query('SELECT 1 AS one FROM ends WHERE user_id = ? AND ends_at <= ? LIMIT 1', [user, now]);
      return found.length > 0;
    },
    put: async (user: string, address: string, at: number | undefined): Promise<void> => {
      await query('DELETE FROM ends WHERE user_id = ? AND address = ?', [user, address]);
      if (at === undefined) return;
      await query('INSERT INTO ends (user_id, address, ends_at) VALUES (?, ?, ?)', [user, address, at]);
    },
    addReceipt: async (user: string, { address, at }: End, now: number): Promise<void> => {
      await query(
        'INSERT INTO receipts (user_id, address, ended_at, erased_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        [user, address, at, now],
      );
    },
  };
}
