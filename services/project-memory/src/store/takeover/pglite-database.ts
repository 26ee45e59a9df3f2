import type { PGlite } from '@electric-sql/pglite';
import type { Sql } from '../database.ts';
import { withStoreErrors } from '../postgres/errors.ts';
import type { PostgresDatabase } from '../postgres/pg-database.ts';
import { postgresDialect, toParameter } from '../postgres/values.ts';

const PLACE = 'PROJECT_MEMORY_DATA_DIR';

const toSql = (engine: Pick<PGlite, 'query'>): Sql => ({
  dialect: postgresDialect,
  query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
    (await engine.query<T>(text, parameters.map(toParameter))).rows,
});

/** Wraps a PGlite, whose statements are those of Postgres; closing the database closes it. */
export function toPgliteDatabase(engine: PGlite): PostgresDatabase {
  const database: PostgresDatabase = {
    dialect: postgresDialect,
    query: (text, parameters) => withStoreErrors(PLACE, () => toSql(engine).query(text, parameters)),
    run: (text) => withStoreErrors(PLACE, async () => void (await engine.exec(text))),
    transaction: (work) =>
      withStoreErrors(PLACE, () => engine.transaction((sql) => work(toSql(sql as Pick<PGlite, 'query'>)))),
    // What is taken over is read once, by nobody who could leave.
    until: () => database,
    close: () => engine.close(),
  };
  return database;
}
