import type { Forgotten } from '@contextloom/contracts';
import { eraseDeadRows } from '@contextloom/postgres';
import { countUser, userTables } from '../sql/count-user.ts';
import type { PostgresDatabase } from './database.ts';
import { SCHEMA, tables } from './schema.ts';

const rewritten = tables.map((table) => `${SCHEMA}.${table}`);

/** Erases a user: the rows with all that is derived of them, and then the files of the tables. */
export async function forgetInPostgres(
  database: PostgresDatabase,
  user: string,
  isDryRun: boolean,
): Promise<Forgotten> {
  if (isDryRun) return { erased: await database.read({ user }, (sql) => countUser(sql, user)), unreached: [] };
  const { erased, transaction } = await database.write({ user }, async (sql) => {
    const counts = await countUser(sql, user);
    for (const { table } of userTables) await sql.query(`DELETE FROM ${table} WHERE user_id = ?`, [user]);
    const [current] = await sql.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    return { erased: counts, transaction: current?.id ?? '' };
  });
  // Without rows too: an earlier call may have ended between the two.
  return { erased, unreached: await eraseDeadRows(database.run, { tables: rewritten, transaction }) };
}
