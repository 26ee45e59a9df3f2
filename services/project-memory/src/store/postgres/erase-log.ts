import type { Unreached } from '@contextloom/contracts';
import type { PostgresDatabase } from './pg-database.ts';

/** Whether old segments of the log are deleted, and whether this role may have that done now. */
const STATE = `
  select current_setting('wal_recycle') = 'off' as "isDeleted",
         current_setting('archive_mode') = 'off'
           and not exists (select 1 from pg_replication_slots) and not exists (select 1 from pg_stat_replication) as "isKeptNowhere",
         has_function_privilege('pg_switch_wal()', 'execute') and has_function_privilege('pg_ls_waldir()', 'execute')
           and pg_has_role('pg_checkpoint', 'usage') as "mayErase"`;

interface LogState {
  readonly isDeleted: boolean;
  readonly isKeptNowhere: boolean;
  readonly mayErase: boolean;
}

const SERVERS: Unreached = {
  what: 'the write-ahead log of the Postgres server',
  why: 'the server overwrites it as it goes on; archives, replicas and base backups are for whoever runs it to erase (with wal_recycle off, no archive and no replica, a role that may run checkpoint and pg_switch_wal erases it)',
};

/**
 * Moves the log on until every segment that was written before is deleted: a switch fills the rest of a segment with zeros, a
 * checkpoint deletes those before. Segments that an earlier checkpoint renamed to be used again still have old bytes, so that
 * each of them has its turn.
 */
async function moveOn(database: PostgresDatabase): Promise<void> {
  await database.run('checkpoint');
  const segments = await database.query('select name from pg_ls_waldir()');
  for (let at = 0; at <= segments.length; at += 1) {
    await database.run('select pg_switch_wal()');
    await database.run('checkpoint');
  }
}

/**
 * Erases the write-ahead log: where the server is set up so that nothing else keeps it.
 * @returns what could not be erased
 */
export async function eraseLog(database: PostgresDatabase): Promise<readonly Unreached[]> {
  const [state] = await database.query<LogState>(STATE);
  if (state === undefined || !state.isDeleted || !state.isKeptNowhere || !state.mayErase) return [SERVERS];
  await moveOn(database);
  return [];
}
