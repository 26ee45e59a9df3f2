import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from './open-database.ts';

/** How many statements are kept, and how long their text may be. */
const MAX_KEPT = 64;
const MAX_LENGTH = 4_096;

/** Prepares a statement. */
export type Prepare = <Row>(sql: string) => BetterSqlite3.Statement<unknown[], Row>;

/**
 * Builds the function that prepares statements whose text depends on the call, and caches the last ones: compiling one takes
 * longer than running many of them. A setting such as `pluck` stays with the statement, and a statement must not run while it is
 * iterated over.
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
