import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportLocks, ImportProgress } from '../../domain/imports/journal.ts';
import { keepLease } from '../../domain/jobs/keep-lease.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { toUnderWay } from './file-locks.ts';

/** How often the holder of a lock says that it is there, and asks whether it is to end, in milliseconds. */
const RENEW_MS = 1_000;
/** How often somebody who waits for its end looks, in milliseconds. */
const LOOK_MS = 100;
/** How long that is waited for at most: one answer of a model, in milliseconds. */
const END_MS = 120_000;

/** What locks are kept with. */
export interface DatabaseLockOptions {
  readonly database: SqlDatabase;
  /** How long an import stays with a process that is not heard of, in milliseconds. */
  readonly leaseMs: number;
  readonly newId: () => string;
}

/** Leaves imports to one process at a time, on whatever machine it runs: a row of each that is under way, renewed while it is. */
export function createDatabaseLocks({ database: { query, now }, leaseMs, newId }: DatabaseLockOptions): ImportLocks {
  const look: ImportLocks['look'] = async (id) => {
    const held = `SELECT done, total FROM import_locks WHERE id = $1 AND held_until > ${now}`;
    const [progress] = await query<ImportProgress>(held, [id]);
    return progress && { progress };
  };
  return {
    look,
    take: async (id, { onStop, progress }) => {
      const holder = newId();
      const taken = await query(
        `INSERT INTO import_locks (id, holder, held_until) VALUES ($1, $2, ${now} + CAST($3 AS BIGINT))
         ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
           is_stopping = 0, done = 0, total = 0 WHERE import_locks.held_until <= ${now} RETURNING id`,
        [id, holder, leaseMs],
      );
      if (taken.length === 0) throw toUnderWay(id);
      const renew = async (): Promise<boolean> => {
        const { done, total } = progress();
        const [kept] = await query<{ is_stopping: number }>(
          `UPDATE import_locks SET held_until = ${now} + CAST($3 AS BIGINT), done = CAST($4 AS BIGINT), total = CAST($5 AS BIGINT)
           WHERE id = $1 AND holder = $2 RETURNING is_stopping`,
          [id, holder, leaseMs, done, total],
        );
        return kept?.is_stopping === 0;
      };
      const keeper = keepLease(renew, { leaseMs, everyMs: RENEW_MS, onLost: onStop });
      return async () => {
        keeper.stop();
        await query('DELETE FROM import_locks WHERE id = $1 AND holder = $2', [id, holder]);
      };
    },
    stop: async (id) => {
      await query('UPDATE import_locks SET is_stopping = 1 WHERE id = $1', [id]);
      for (let left = END_MS / LOOK_MS; left > 0 && (await look(id)) !== undefined; left -= 1) await sleep(LOOK_MS);
    },
  };
}
