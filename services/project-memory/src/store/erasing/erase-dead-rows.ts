import { setTimeout as sleep } from 'node:timers/promises';
import type { Unreached } from '@contextloom/contracts';
import type { SqlDatabase } from '../database.ts';
import { eraseLog } from './erase-log.ts';

/** The tables with rows of owners. */
export const tables = [
  ...(['memories', 'memory_versions', 'memory_arbitrations', 'memory_links', 'projects'] as const),
  ...(['fragments', 'version_fragments'] as const),
] as const;

/** How often, and after how many milliseconds each time, it is looked for transactions that still see deleted rows. */
const LOOKS = 100;
const PAUSE_MS = 100;

/** Postgres keeps a deleted row as long as a transaction is open that began before. */
async function waitForOlder(database: SqlDatabase, transaction: string): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and age(backend_xmin) >= age($1::xid8::xid) limit 1`;
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await database.query(text, [transaction])).length === 0) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

/** The planner's statistics have samples of texts; those of before are dead rows of a table that the database's owner alone may rewrite. */
async function eraseStatistics(database: SqlDatabase): Promise<boolean> {
  const [role] = await database.query<{ owns: boolean }>(
    "select pg_has_role(datdba, 'usage') as owns from pg_database where datname = current_database()",
  );
  if (role?.owns !== true) return false;
  await database.run('vacuum full pg_statistic');
  return true;
}

const STATISTICS: Unreached = {
  what: "samples of texts in the planner's statistics",
  why: 'the role of DATABASE_URL does not own the database: have its owner run "vacuum full pg_statistic"',
};
const OLDER: Unreached = {
  what: 'deleted rows in the files of the tables',
  why: 'a transaction that began before is still open: try again',
};

/**
 * Rewrites the tables with their indexes, so that no byte of a deleted row is left in them, and the write-ahead log as far as
 * it is within reach.
 * @param transaction the transaction that deleted the rows
 * @returns what could not be erased
 */
export async function eraseDeadRows(database: SqlDatabase, transaction: string): Promise<readonly Unreached[]> {
  const isAlone = await waitForOlder(database, transaction);
  for (const table of tables) await database.run(`vacuum (full, analyze) ${table}`);
  const hasStatistics = await eraseStatistics(database);
  const log = await eraseLog(database);
  return [...(isAlone ? [] : [OLDER]), ...(hasStatistics ? [] : [STATISTICS]), ...log];
}
