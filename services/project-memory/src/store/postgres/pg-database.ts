import { ContextloomError } from '@contextloom/contracts';
import pg from 'pg';
import { requireCaller, type Sql, type SqlDatabase } from '../database.ts';
import { cancelStatement } from './cancel-statement.ts';
import { withStoreErrors } from './errors.ts';
import { postgresDialect, toParameter } from './values.ts';

const PLACE = 'DATABASE_URL';

/** A database of Postgres. */
export interface PostgresDatabase extends SqlDatabase {
  /** Runs several statements without parameters. */
  readonly run: (text: string) => Promise<void>;
}

/** Where a Postgres server is. */
export interface PgOptions {
  readonly url: string;
  /** Connections at once; 10 by default. */
  readonly connections?: number;
  /** Called for connections that broke while idle. */
  readonly onLost: (error: unknown) => void;
}

/** What pools and their connections have in common. */
interface Queryable {
  readonly query: (text: string, parameters: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

const toSql = (client: Queryable): Sql => ({
  dialect: postgresDialect,
  query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
    (await client.query(text, parameters.map(toParameter))).rows as readonly T[],
});

/** Counts and times in seconds are `bigint`, and far below what a number holds exactly. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** How long one reading may take, in milliseconds; the server ends it then, whether or not somebody still waits. */
const READING_MS = 60_000;
/** How long a change waits for a lock of another, in milliseconds; what it does itself may take longer. */
const LOCK_MS = 30_000;
const BEGIN = `begin; set local statement_timeout = 0; set local lock_timeout = ${LOCK_MS}`;

/** SQLSTATE 25006: a session keeps what its server was when it began, such as read-only before a failover. */
const isOutdated = (error: unknown): boolean => Object(error).code === '25006';

/** A connection of the pool; says what is the matter where none is free. */
async function takeClient(pool: pg.Pool, connections: number): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    const isFull = pool.totalCount >= connections && pool.idleCount === 0;
    if (!isFull) throw cause;
    const message = `all ${connections} connections to the database of DATABASE_URL are in use; try again`;
    throw new ContextloomError('timeout', message, { cause });
  }
}

/** Works with one connection; one that broke, was cancelled or has to be made again is not given to the next. */
async function withClient<T>(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  requireCaller(signal);
  const client = await connect();
  let broken: Error | undefined;
  const ended = new AbortController();
  const onAbort = (): void => {
    broken = new Error('what it ran was cancelled');
    void cancelStatement(client, ended.signal);
  };
  signal?.addEventListener('abort', onAbort);
  // A connection that breaks between two statements emits an error, and an error without a listener ends the process.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    requireCaller(signal);
    return await work(client);
  } catch (error) {
    ended.abort();
    if (isOutdated(error)) broken ??= new Error('the session is read-only', { cause: error });
    // A connection that cannot even roll back is not given to the next.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    requireCaller(signal);
    throw error;
  } finally {
    ended.abort();
    signal?.removeEventListener('abort', onAbort);
    client.off('error', onBroken);
    client.release(broken);
  }
}

/** Opens a pool of connections to a Postgres server; nothing is sent before the first statement. */
export function openPgDatabase({ url, connections = 10, onLost }: PgOptions): PostgresDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    types,
    application_name: 'contextloom-project-memory',
  });
  pool.on('error', onLost);
  // Not in the first message of a connection, which poolers such as PgBouncer refuse with settings in it.
  pool.on('connect', (client) => void client.query(`set statement_timeout = ${READING_MS}`).catch(() => undefined));
  const toDatabase = (signal?: AbortSignal): PostgresDatabase => {
    const using = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
      withStoreErrors(PLACE, () => withClient(() => takeClient(pool, connections), work, signal));
    return {
      dialect: postgresDialect,
      query: (text, parameters) => using((client) => toSql(client).query(text, parameters)),
      run: (text) =>
        using(async (client) => {
          await client.query('set statement_timeout = 0');
          await client.query(text);
          await client.query(`set statement_timeout = ${READING_MS}`);
        }),
      transaction: (work) =>
        using(async (client) => {
          await client.query(BEGIN);
          const value = await work(toSql(client));
          await client.query('commit');
          return value;
        }),
      until: toDatabase,
      close: () => pool.end(),
    };
  };
  return toDatabase();
}
