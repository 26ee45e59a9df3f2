import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from './open-database.ts';

/** How many statements are kept, and how long their text may be. */
const MAX_KEPT = 64;
const MAX_LENGTH = 4_096;

/** Prepares a statement. */
export type Prepare = <Row>(sql: string) => BetterSqlite3.Statement<unknown[], Row>;

/**
 * Builds a way to prepare statements whose text depends on the call, which keeps those that were used last: to compile one
 * takes longer than to run many of them. What is set on one, such as `pluck`, stays set, and none may be run while it is
 * being iterated over.
 */
export function createPrepare(database: Database): Prepare {
  const kept = new Map<string, BetterSqlite3.Statement<unknown[], unknown>>();
  return <Row>(sql: string) => {
    const statement = kept.get(sql) ?? database.prepare<unknown[], unknown>(sql);
    kept.delete(sql);
    if (sql.length <= MAX_LENGTH) kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return statement as BetterSqlite3.Statement<unknown[], Row>;
  };
}
