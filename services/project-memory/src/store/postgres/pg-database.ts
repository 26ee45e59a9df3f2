import pg from 'pg';
import type { Sql, SqlDatabase } from '../database.ts';
import { withStoreErrors } from '../errors.ts';

const PLACE = 'DATABASE_URL';

/** Where a Postgres server is. */
export interface PgOptions {
  readonly url: string;
  /** Connections at once; 10 unless told otherwise. */
  readonly connections?: number;
  /** Called for connections that broke while idle. */
  readonly onLost: (error: unknown) => void;
}

/** What pools and their connections have in common. */
interface Queryable {
  readonly query: (text: string, parameters: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

const toSql = (client: Queryable): Sql => ({
  query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
    (await client.query(text, [...parameters])).rows as readonly T[],
});

async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two statements emits an error, and an error without a listener ends the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    await client.query('begin');
    const value = await work(toSql(client));
    await client.query('commit');
    return value;
  } catch (error) {
    // A connection that cannot even roll back is not given to the next.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

/** Opens a pool of connections to a Postgres server; nothing is sent before the first statement. */
export function openPgDatabase({ url, connections = 10, onLost }: PgOptions): SqlDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    application_name: 'contextloom-project-memory',
  });
  pool.on('error', onLost);
  return {
    engine: 'postgres',
    query: (text, parameters) => withStoreErrors(PLACE, () => toSql(pool).query(text, parameters)),
    run: (text) => withStoreErrors(PLACE, async () => void (await pool.query(text))),
    transaction: (work) => withStoreErrors(PLACE, () => inTransaction(pool, work)),
    close: () => pool.end(),
  };
}
