import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreUpkeep } from '@contextloom/contracts';
import { toSchemaUpkeep } from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import { createLazy } from '@contextloom/runtime/scheduling';
import { type AddRow, type RowsOfFile, takeRows, toFileUpkeep } from '@contextloom/sqlite';
import type { Config } from './config.ts';
import type { ModelUse } from './domain/budget/model-budget.ts';
import type { ImportRecords } from './domain/imports/journal.ts';
import type { JobQueue } from './domain/jobs/job-queue.ts';
import { sqliteJobTables } from './store/jobs/job-tables.ts';
import { createSqlJobQueue } from './store/jobs/sql-job-queue.ts';
import { createSqlModelUse } from './store/jobs/sql-model-use.ts';
import { createDatabaseLocks } from './store/journal/database-locks.ts';
import { createFileLocks } from './store/journal/file-locks.ts';
import { sqliteJournalTables } from './store/journal/journal-tables.ts';
import { createSqlJournal, createSqlRereadings } from './store/journal/sql-journal.ts';
import { openPostgresDatabase, processorSchema } from './store/sql/postgres-database.ts';
import type { SqlDatabase } from './store/sql/sql-database.ts';
import { openSqliteDatabase } from './store/sql/sqlite-database.ts';

/** Where jobs and imports are kept: files of the data folder, or a Postgres database. */
export interface Databases {
  /** The jobs, opened at the first need; closing the queue closes nothing else. */
  readonly openJobs: () => Promise<JobQueue>;
  /** The imports, opened at the first need. */
  readonly openImports: () => Promise<ImportRecords>;
  /** What the model took, counted beside the jobs; opened at the first need. */
  readonly openModelUse: () => Promise<ModelUse>;
  /** Whether there may be jobs; a question alone does not make the place where they are kept. */
  readonly hasJobs: () => boolean;
  readonly hasImports: () => boolean;
  readonly close: () => Promise<void>;
}

/** What opening them needs. */
export interface OpenDatabasesOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'jobLeaseSeconds'>;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

const JOB_COLUMNS =
  'id user_id kind idempotency_key payload done total attempts reason outcome created_at started_at ended_at';

/** What the files in a data folder have that a database takes over. */
const toTakeovers = (dataDir: string): readonly RowsOfFile[] => [
  {
    file: join(dataDir, 'jobs.db'),
    migrations: sqliteJobTables,
    // What a worker has taken waits until nobody can be working on it any more.
    tables: [
      {
        name: 'jobs',
        columns: [
          ...JOB_COLUMNS.split(' '),
          "CASE state WHEN 'running' THEN 'queued' ELSE state END AS state",
          'max(run_after, coalesce(lease_until, 0)) AS run_after',
        ],
        order: 'seq',
      },
      { name: 'model_use', columns: 'day calls input_tokens output_tokens dollars'.split(' '), order: 'day' },
    ],
  },
  {
    file: join(dataDir, 'imports.db'),
    migrations: sqliteJournalTables,
    tables: [
      { name: 'imports', columns: 'id user_id sources state started_at ended_at'.split(' '), order: 'rowid' },
      {
        name: 'items',
        columns: 'import_id key title part state saved reason retryable corrected deleted'.split(' '),
        order: 'rowid',
      },
      { name: 'rereadings', columns: ['name', 'started_at'], order: 'rowid' },
    ],
  },
];

async function openTakingOver(url: string, dataDir: string, log: Log): Promise<SqlDatabase> {
  const database = await openPostgresDatabase(url, log);
  const addRow: AddRow = (table, columns, values) => {
    const places = columns.map((_, at) => `$${at + 1}`).join(', ');
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`;
    return database.query(text, values);
  };
  try {
    for (const one of toTakeovers(dataDir)) {
      const rows = await takeRows(one, addRow);
      if (rows > 0) log.info({ file: one.file, rows }, 'what the file had is in the database of DATABASE_URL now');
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The jobs of a database that others use too. */
const toQueue = (database: SqlDatabase): JobQueue => createSqlJobQueue({ ...database, close: async () => undefined });

/** The upkeep of jobs and imports. */
export function toUpkeeps({
  dataDir,
  databaseUrl: url,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): readonly StoreUpkeep[] {
  if (url !== undefined) return [toSchemaUpkeep({ store: 'jobs and imports', url, schema: processorSchema })];
  return [
    toFileUpkeep({ store: 'jobs', where: join(dataDir, 'jobs.db'), migrations: sqliteJobTables }),
    toFileUpkeep({ store: 'imports', where: join(dataDir, 'imports.db'), migrations: sqliteJournalTables }),
  ];
}

/** Opens what the settings name, at its first need; a database that is set and cannot be reached is replaced by nothing. */
export function openDatabases({ config, clock, newId, log }: OpenDatabasesOptions): Databases {
  const { dataDir, databaseUrl, jobLeaseSeconds } = config;
  if (databaseUrl !== undefined) {
    const { get, current } = createLazy(() => openTakingOver(databaseUrl, dataDir, log));
    return {
      openJobs: async () => toQueue(await get()),
      openModelUse: async () => createSqlModelUse(await get()),
      openImports: async () => {
        const database = await get();
        const locks = createDatabaseLocks({ database, leaseMs: jobLeaseSeconds * 1_000, newId });
        return { journal: createSqlJournal(database, clock), locks, rereadings: createSqlRereadings(database, clock) };
      },
      // Others may have put some into it at any time.
      hasJobs: () => true,
      hasImports: () => true,
      close: async () => (await current())?.close(),
    };
  }
  const [jobFile, journalFile] = [join(dataDir, 'jobs.db'), join(dataDir, 'imports.db')];
  const jobs = createLazy(async () => openSqliteDatabase(jobFile, sqliteJobTables));
  const imports = createLazy(async () => openSqliteDatabase(journalFile, sqliteJournalTables));
  return {
    openJobs: async () => toQueue(await jobs.get()),
    openModelUse: async () => createSqlModelUse(await jobs.get()),
    openImports: async () => {
      const database = await imports.get();
      const journal = createSqlJournal(database, clock);
      return { journal, locks: createFileLocks(dataDir), rereadings: createSqlRereadings(database, clock) };
    },
    hasJobs: () => existsSync(jobFile),
    hasImports: () => existsSync(journalFile),
    close: async () => {
      await (await jobs.current())?.close();
      await (await imports.current())?.close();
    },
  };
}
