import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type pg from 'pg';
import type { JobQueue } from '../../domain/jobs/job-queue.ts';
import { type JobDatabase, type Parameter, toJobMigrations } from './job-database.ts';
import { createSqlJobQueue } from './sql-job-queue.ts';

const SCHEMA = 'contextloom_memory_processor';
const UNIQUE_VIOLATION = '23505';
/** Counts and times are `bigint`, and far below what a number holds exactly. */
const INT8 = 20;
/** Two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_117_220;
const CONNECTIONS = 4;
const WAIT_MS = 10_000;

const migrations = toJobMigrations({ serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY' });
/** What the planner samples of columns would keep words of people who are forgotten. */
const UNSAMPLED = ['user_id', 'idempotency_key', 'payload', 'reason', 'outcome']
  .map((column) => `ALTER TABLE jobs ALTER COLUMN ${column} SET STATISTICS 0;`)
  .join('\n');

const codeOf = (error: unknown): string => String(Object(error).code ?? '');

/** Says in words of ours what a database refused, by the class of its SQLSTATE; an unreachable one is never replaced. */
function toStorageError(cause: unknown): ContextloomError {
  if (isContextloomError(cause)) return cause;
  const code = codeOf(cause);
  const to = (why: string): ContextloomError =>
    new ContextloomError('unavailable', `the database of DATABASE_URL ${why}; nothing was stored`, { cause });
  if (code.startsWith('28') || code === '3D000') return to('refuses this user, password or name');
  if (code === '42501') return to(`does not let this user make or use the schema ${SCHEMA}`);
  if (code === '53100') return new ContextloomError('no_space', 'the database of DATABASE_URL is full', { cause });
  return to(/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') ? 'refused a statement' : 'cannot be reached');
}

async function migrate(client: pg.PoolClient): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}; SET LOCAL search_path TO ${SCHEMA};
      CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`);
    const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version');
    const version = rows[0]?.version ?? 0;
    if (version > migrations.length) {
      const message = `the schema ${SCHEMA} of DATABASE_URL has version ${version}, and this program knows versions up to ${migrations.length}: use the newer program that made it`;
      throw new ContextloomError('unavailable', message);
    }
    for (const sql of migrations.slice(version)) await client.query(sql);
    if (version === 0) await client.query(UNSAMPLED);
    await client.query('DELETE FROM schema_version');
    await client.query('INSERT INTO schema_version (version) VALUES ($1)', [migrations.length]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Opens a pool whose connections see the schema; nothing is sent before the first statement. */
async function openPool(url: string, log: Log): Promise<pg.Pool> {
  const { default: postgres } = await import('pg');
  const { types } = postgres;
  const pool = new postgres.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: WAIT_MS,
    application_name: 'contextloom-memory-processor',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A connection that breaks while idle is no one's call.
  pool.on('error', (cause) => log.warn({ cause }, 'a connection to the database was lost'));
  return pool;
}

/**
 * Opens the jobs of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresJobs(url: string, log: Log): Promise<JobQueue> {
  const pool = await openPool(url, log);
  const run = async <Row extends object>(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]> =>
    (await pool.query(text, [...parameters])).rows as Row[];
  try {
    const client = await pool.connect();
    await migrate(client).finally(() => client.release());
  } catch (error) {
    await pool.end();
    throw toStorageError(error);
  }
  const database: JobDatabase = {
    query: async (text, parameters = []) => {
      try {
        return await run(toQualified(text), parameters);
      } catch (error) {
        throw codeOf(error) === UNIQUE_VIOLATION ? error : toStorageError(error);
      }
    },
    now: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    lock: 'FOR UPDATE OF j SKIP LOCKED',
    isDuplicate: (error) => codeOf(error) === UNIQUE_VIOLATION,
    // Rewritten without dead rows; what the log of transactions still has goes with its files.
    erase: async () => {
      await database.query('VACUUM FULL jobs');
      return [];
    },
    close: () => pool.end(),
  };
  return createSqlJobQueue(database);
}

/** The tables by their schema: poolers such as PgBouncer keep no search path for a caller. */
const toQualified = (text: string): string =>
  text.replace(/\b(FROM|INTO|UPDATE|JOIN|FULL) jobs\b/g, `$1 ${SCHEMA}.jobs`);
