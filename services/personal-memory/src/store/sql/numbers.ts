import type { Sql } from './sql.ts';

/** The tables whose rows callers name by a number. */
export type NumberedTable = 'profile_history' | 'entities' | 'events' | 'entity_relations';

/** Largest number that a row may bring along: after it there is room for as many again as anybody stores. */
const MAX_OWN = 1e12;

/** Numbers a row of a user; with the number that it had elsewhere, if that is free. */
export type NextNumber = (user: string, own?: number) => Promise<number>;

/** Builds the function that numbers a user's rows in a table: 1, 2, 3 and so on, each once. */
export function createNextNumber({ query }: Sql, table: NumberedTable): NextNumber {
  const next = async (user: string): Promise<number> => {
    const [row] = await query<{ number: number }>(
      `INSERT INTO last_numbers (user_id, kind, number) VALUES (?, ?, 1)
       ON CONFLICT (user_id, kind) DO UPDATE SET number = last_numbers.number + 1 RETURNING number`,
      [user, table],
    );
    return row?.number ?? 0;
  };
  return async (user, own) => {
    if (own === undefined || own > MAX_OWN) return next(user);
    const taken = await query(`SELECT 1 AS taken FROM ${table} WHERE user_id = ? AND number = ?`, [user, own]);
    if (taken.length > 0) return next(user);
    await query(
      `INSERT INTO last_numbers (user_id, kind, number) VALUES (?, ?, ?) ON CONFLICT (user_id, kind) DO UPDATE
       SET number = excluded.number WHERE excluded.number > last_numbers.number`,
      [user, table, own],
    );
    return own;
  };
}
