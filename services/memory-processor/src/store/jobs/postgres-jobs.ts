import { migrateSchema, openPool, sqlStateOf, toDatabaseError, UNIQUE_VIOLATION } from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import type { JobQueue } from '../../domain/jobs/job-queue.ts';
import { type JobDatabase, type Parameter, toJobMigrations } from './job-database.ts';
import { createSqlJobQueue } from './sql-job-queue.ts';

const SCHEMA = 'contextloom_memory_processor';

/** Where jobs are in Postgres. */
export const jobSchema = {
  name: SCHEMA,
  migrations: toJobMigrations({ serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY' }),
  lock: 4_117_220,
};

/** What the planner samples of columns would keep words of people who are forgotten. */
const UNSAMPLED = ['user_id', 'idempotency_key', 'payload', 'reason', 'outcome']
  .map((column) => `ALTER TABLE jobs ALTER COLUMN ${column} SET STATISTICS 0;`)
  .join('\n');

/**
 * Opens the jobs of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresJobs(url: string, log: Log): Promise<JobQueue> {
  const pool = await openPool({ url, application: 'contextloom-memory-processor', log });
  const run = async <Row extends object>(text: string, parameters: readonly Parameter[]): Promise<readonly Row[]> =>
    (await pool.query(text, [...parameters])).rows as Row[];
  try {
    await migrateSchema(pool, jobSchema, UNSAMPLED);
  } catch (error) {
    await pool.end();
    throw toDatabaseError(error, SCHEMA);
  }
  const database: JobDatabase = {
    query: async (text, parameters = []) => {
      try {
        return await run(toQualified(text), parameters);
      } catch (error) {
        throw sqlStateOf(error) === UNIQUE_VIOLATION ? error : toDatabaseError(error, SCHEMA);
      }
    },
    now: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    lock: 'FOR UPDATE OF j SKIP LOCKED',
    isDuplicate: (error) => sqlStateOf(error) === UNIQUE_VIOLATION,
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
