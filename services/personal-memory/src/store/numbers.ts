import type { Database } from '@contextloom/sqlite';
import type { NumberedTable } from './schema.ts';

/** Builds what gives the rows of a user in a table their numbers: 1, 2, 3 and on, none of them twice. */
export function createNextNumber(database: Database, table: NumberedTable): (user: string) => number {
  const next = database
    .prepare<[string, string], number>(
      `INSERT INTO last_numbers VALUES (?, ?, 1) ON CONFLICT (user_id, kind) DO UPDATE SET number = number + 1 RETURNING number`,
    )
    .pluck();
  return (user) => next.get(user, table) ?? 0;
}
