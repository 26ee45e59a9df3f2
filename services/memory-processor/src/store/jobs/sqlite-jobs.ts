import {
  createFileCheck,
  createPrepare,
  eraseInThread,
  openDatabase,
  sqliteCode,
  withStorageErrors,
} from '@contextloom/sqlite';
import type { JobQueue } from '../../domain/jobs/job-queue.ts';
import { type JobDatabase, toJobMigrations } from './job-database.ts';
import { createSqlJobQueue } from './sql-job-queue.ts';

/** The name of its file, in the data folder. */
export const JOBS_FILE = 'jobs.db';

const migrations = toJobMigrations({ serial: 'INTEGER PRIMARY KEY AUTOINCREMENT' });
const WHY = 'another process went on reading it: try again, or end that process';

/**
 * Opens the jobs of a file, which is made when missing; several processes may have it open.
 * @throws ContextloomError as `openDatabase` does
 */
export function openSqliteJobs(file: string): JobQueue {
  const connection = openDatabase({ file, migrations });
  // What a conversation said is not left in free pages once it is in the memories.
  connection.pragma('secure_delete = ON');
  const prepare = createPrepare(connection);
  const checkFile = createFileCheck(connection);
  const database: JobDatabase = {
    // SQLite takes the numbers of parameters for their names.
    query: async <Row extends object>(text: string, parameters: readonly (string | number | null)[] = []) =>
      withStorageErrors(() => {
        const values = Object.fromEntries(parameters.map((value, at) => [String(at + 1), value]));
        const statement = prepare<Row>(text);
        const rows = statement.reader ? statement.all(values) : [];
        if (!statement.reader) statement.run(values);
        checkFile();
        return rows;
      }),
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    lock: '',
    isDuplicate: (error) => sqliteCode(Object(error).cause ?? error) === 'SQLITE_CONSTRAINT_UNIQUE',
    erase: async () => {
      const left = await eraseInThread({ file });
      return left === 'log' ? [{ what: `${file}-wal`, why: WHY }] : [];
    },
    close: async () => void connection.close(),
  };
  return createSqlJobQueue(database);
}
