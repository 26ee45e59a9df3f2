import type { Forgotten, Unreached } from '@contextloom/contracts';
import { countUser, userTables } from '../sql/count-user.ts';
import type { PostgresDatabase } from './database.ts';
import { SCHEMA, tables } from './schema.ts';

const LOG: Unreached = {
  what: 'the write-ahead log of the Postgres server',
  why: 'the server overwrites it as it goes on; archives, replicas and base backups are for whoever runs it to erase',
};
const OWNER: Unreached = {
  what: 'deleted rows in the files of the tables',
  why: `the user of DATABASE_URL does not own them: have the owner run "vacuum full" on the tables of ${SCHEMA}`,
};
const OLDER: Unreached = {
  what: 'deleted rows in the files of the tables',
  why: 'a transaction that began before is still open: try again',
};

const OWNS = `SELECT pg_has_role(relowner, 'usage') AS owns FROM pg_class WHERE oid = '${SCHEMA}.events'::regclass`;
/** Postgres keeps a deleted row as long as a transaction is open that began before. */
const toOlderText = (transaction: string): string => `SELECT 1 AS older FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND age(backend_xmin) >= age('${transaction}'::xid8::xid) LIMIT 1`;

/** Rewrites the tables without the rows that a transaction deleted; answers what could not be reached. */
async function erase({ run }: PostgresDatabase, transaction: string): Promise<readonly Unreached[]> {
  const [table] = await run<{ owns: boolean }>(OWNS);
  if (table?.owns !== true) return [OWNER, LOG];
  const isAlone = (await run(toOlderText(transaction))).length === 0;
  for (const one of tables) await run(`VACUUM (FULL) ${SCHEMA}.${one}`);
  return [...(isAlone ? [] : [OLDER]), LOG];
}

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
  return { erased, unreached: await erase(database, transaction) };
}
