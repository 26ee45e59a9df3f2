import {
  migrateSchema,
  openPool,
  rewriteTables,
  type ServiceSchema,
  sqlStateOf,
  toDatabaseError,
  UNIQUE_VIOLATION,
} from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import { modelUseTable, postgresJobTables } from '../jobs/job-tables.ts';
import { postgresJournalTables } from '../journal/journal-tables.ts';
import type { Parameter, SqlDatabase } from './sql-database.ts';

const SCHEMA = 'contextloom_memory_processor';

/** What the planner samples of columns would keep words of people who are forgotten. */
const toUnsampled = (columns: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(columns)
    .flatMap(([table, names]) => names.map((name) => `ALTER TABLE ${table} ALTER COLUMN ${name} SET STATISTICS 0;`))
    .join('\n');

/** Where jobs and imports are in Postgres. */
export const processorSchema: ServiceSchema = {
  name: SCHEMA,
  migrations: [
    [postgresJobTables, toUnsampled({ jobs: ['user_id', 'idempotency_key', 'payload', 'reason', 'outcome'] })].join(''),
    [postgresJournalTables, toUnsampled({ imports: ['user_id', 'sources'], items: ['title', 'reason'] })].join(''),
    modelUseTable,
  ],
  lock: 4_117_220,
};

/** The tables by their schema: poolers such as PgBouncer keep no search path for a caller. */
const toQualified = (text: string): string =>
  text.replace(
    /\b(FROM|INTO|UPDATE|JOIN) (jobs|imports|items|rereadings|import_locks|model_use)\b/g,
    `$1 ${SCHEMA}.$2`,
  );

/**
 * Opens the jobs and imports of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresDatabase(url: string, log: Log): Promise<SqlDatabase> {
  const pool = await openPool({ url, application: 'contextloom-memory-processor', log });
  try {
    await migrateSchema(pool, processorSchema);
  } catch (error) {
    await pool.end();
    throw toDatabaseError(error, SCHEMA);
  }
  const query = async <Row extends object>(text: string, parameters: readonly Parameter[] = []) => {
    try {
      return (await pool.query(toQualified(text), [...parameters])).rows as Row[];
    } catch (error) {
      throw sqlStateOf(error) === UNIQUE_VIOLATION ? error : toDatabaseError(error, SCHEMA);
    }
  };
  return {
    query,
    now: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    lock: 'FOR UPDATE OF j SKIP LOCKED',
    order: 'seq',
    isDuplicate: (error) => sqlStateOf(error) === UNIQUE_VIOLATION,
    // Rewritten without dead rows; what the log of transactions still has goes with its files.
    erase: (tables) =>
      rewriteTables(
        query,
        tables.map((table) => `${SCHEMA}.${table}`),
      ),
    close: () => pool.end(),
  };
}
