import {
  openOwnedDatabase,
  rewriteTables,
  type ServiceSchema,
  type StatementRole,
  sqlStateOf,
  UNIQUE_VIOLATION,
} from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import { modelUseTable, postgresJobTables } from '../jobs/job-tables.ts';
import { postgresJournalTables } from '../journal/journal-tables.ts';
import type { Parameter, SqlDatabase } from './sql-database.ts';

const SCHEMA = 'contextloom_memory_processor';
const CONNECTIONS = 4;
/** The setting that says whose rows a transaction sees: `u:` and the user, or `*` for all; without it none. */
const USER = 'contextloom.user';
const scope = `(SELECT current_setting('${USER}', true))`;

/** Whatever a statement says, it sees the jobs and imports of its user alone. */
const toPolicy = (table: string, isOwn: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY of_user ON ${table} USING (${scope} = '*' OR ${isOwn});`;
const isOfUser = `user_id = substr(${scope}, 3)`;
const policies = [
  toPolicy('jobs', isOfUser),
  toPolicy('imports', isOfUser),
  toPolicy('items', 'EXISTS (SELECT 1 FROM imports i WHERE i.id = import_id)'),
].join('');

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
    policies,
  ],
  lock: 4_117_220,
};

/** The role that statements run as where the user of DATABASE_URL is above row-level security; nobody can log in with it. */
const role: StatementRole = { schema: processorSchema, name: 'contextloom_jobs', newestTable: 'model_use' };

/**
 * Opens the jobs and imports of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresDatabase(url: string, log: Log): Promise<SqlDatabase> {
  const database = await openOwnedDatabase({
    url,
    application: 'contextloom-memory-processor',
    log,
    schema: processorSchema,
    first: '',
    role,
    owners: USER,
    connections: CONNECTIONS,
    toSql: ({ query }) => query,
  });
  if (database.isOpen) {
    log.warn({}, 'the user of DATABASE_URL is above row-level security, and no role below it could be made');
  }
  const of =
    (userId: string | undefined) =>
    <Row extends object>(text: string, parameters: readonly Parameter[] = []) =>
      database.write(userId === undefined ? '*' : `u:${userId}`, '', (query) => query<Row>(text, parameters));
  return {
    query: of(undefined),
    of,
    now: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
    lock: 'FOR UPDATE OF j SKIP LOCKED',
    order: 'seq',
    isDuplicate: (error) => sqlStateOf(Object(error).cause) === UNIQUE_VIOLATION,
    // Rewritten without dead rows; what the log of transactions still has goes with its files.
    erase: (tables) =>
      rewriteTables(
        database.run,
        tables.map((table) => `${SCHEMA}.${table}`),
      ),
    close: database.close,
  };
}
