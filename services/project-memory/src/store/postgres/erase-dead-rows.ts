import { setTimeout as sleep } from 'node:timers/promises';
import type { Unreached } from '@contextloom/contracts';
import { tables } from '../forget-owner.ts';
import { eraseLog } from './erase-log.ts';
import type { PostgresDatabase } from './pg-database.ts';

/** How often, and after how many milliseconds each time, it is looked for transactions that still see deleted rows. */
const LOOKS = 100;
const PAUSE_MS = 100;

/** Postgres keeps a deleted row as long as a transaction is open that began before. */
async function waitForOlder(database: PostgresDatabase, transaction: string): Promise<boolean> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and age(backend_xmin) >= age($1::xid8::xid) limit 1`;
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await database.query(text, [transaction])).length === 0) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

/** The tables with their partitions and indexes. */
const RELATIONS = `
  with recursive parts (id) as (
    select oid from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1::text[])
    union select inhrelid from pg_inherits join parts on inhparent = id)
  select id from parts union select indexrelid from pg_index join parts on indrelid = id`;

interface StatisticsState {
  /** Whether the role may rewrite the table of statistics. */
  readonly owns: boolean;
  readonly mayDelete: boolean;
  /** Whether there are any of tables without rows: counting these anew leaves the samples of before. */
  readonly isLeft: boolean;
}

const STATE = `
  select (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) as owns,
         (select rolsuper from pg_roles where rolname = current_user) as "mayDelete",
         exists (select 1 from pg_stats where schemaname = current_schema() and tablename = any($1::text[])) as "isLeft"`;

/**
 * The planner's statistics have samples of texts. Counting a table anew replaces them, but not where it has no row left: those are
 * deleted before, which takes a superuser. The dead rows of either are in a table that the database's
 * owner alone may rewrite.
 */
async function eraseStatistics(database: PostgresDatabase): Promise<readonly Unreached[]> {
  const empty: string[] = [];
  for (const table of tables) {
    if ((await database.query(`select 1 from ${table} limit 1`)).length === 0) empty.push(table);
  }
  const [role] = await database.query<StatisticsState>(STATE, [empty]);
  if (role?.mayDelete === true)
    await database.query(`delete from pg_statistic where starelid in (${RELATIONS})`, [empty]);
  else if (role?.isLeft === true) return [STATISTICS_OF_EMPTY];
  if (role?.owns !== true) return [STATISTICS];
  await database.run('vacuum full pg_statistic');
  return [];
}

const STATISTICS: Unreached = {
  what: "samples of texts in the planner's statistics",
  why: 'the role of DATABASE_URL does not own the database: have its owner run "vacuum full pg_statistic"',
};
const STATISTICS_OF_EMPTY: Unreached = {
  what: "samples of texts in the planner's statistics",
  why: 'the tables are empty, and the role of DATABASE_URL is no superuser: have one delete their rows of pg_statistic, and run "vacuum full pg_statistic"',
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
export async function eraseDeadRows(database: PostgresDatabase, transaction: string): Promise<readonly Unreached[]> {
  const isAlone = await waitForOlder(database, transaction);
  for (const table of tables) await database.run(`vacuum (full, analyze) ${table}`);
  const statistics = await eraseStatistics(database);
  const log = await eraseLog(database);
  return [...(isAlone ? [] : [OLDER]), ...statistics, ...log];
}
