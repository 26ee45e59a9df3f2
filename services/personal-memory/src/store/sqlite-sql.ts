import { setImmediate } from 'node:timers/promises';
import { createPrepare, type Database, withStorageErrors } from '@contextloom/sqlite';
import type { Dialect, Sql, Value } from './sql/sql.ts';

/** What SQLite writes in its own words. */
const dialect: Dialect = {
  isIn: (column, values) => ({
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    params: [JSON.stringify(values)],
  }),
  hasTag: (column, tag) => ({
    sql: `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`,
    params: [tag],
  }),
  numberColumn: 'own_number',
  collect: (query) => `(SELECT json_group_array(v) FROM (${query}))`,
};

/** How long the statements of a transaction go on before other calls are answered, in milliseconds. */
const SLICE_MS = 5;

/** The statements of one connection; after a few milliseconds of them other calls are answered before the next. */
export function createSqliteSql(database: Database): Sql {
  const prepare = createPrepare(database);
  let end = 0;
  return {
    dialect,
    query: async <Row extends object>(text: string, params: readonly Value[] = []) => {
      if (performance.now() > end) {
        await setImmediate();
        end = performance.now() + SLICE_MS;
      }
      return withStorageErrors(() => {
        const statement = prepare<Row>(text);
        if (statement.reader) return statement.all(...params);
        statement.run(...params);
        return [];
      });
    },
  };
}
