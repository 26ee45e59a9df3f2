import type { Unreached } from '@contextloom/contracts';
import {
  createFileCheck,
  createPrepare,
  eraseFile,
  openDatabase,
  sqliteCode,
  withStorageErrors,
} from '@contextloom/sqlite';
import type { Parameter, SqlDatabase } from './sql-database.ts';

/**
 * Opens a file of jobs or imports, which is made when missing; several processes may have it open.
 * @throws ContextloomError as `openDatabase` does
 */
export function openSqliteDatabase(file: string, migrations: readonly string[]): SqlDatabase {
  const connection = openDatabase({ file, migrations });
  // What a conversation said is not left in free pages once it is in the memories.
  connection.pragma('secure_delete = ON');
  const prepare = createPrepare(connection);
  const checkFile = createFileCheck(connection);
  // SQLite takes the numbers of parameters for their names.
  const query = async <Row extends object>(text: string, parameters: readonly Parameter[] = []) =>
    withStorageErrors(() => {
      const values = Object.fromEntries(parameters.map((value, at) => [String(at + 1), value]));
      const statement = prepare<Row>(text);
      const rows = statement.reader ? statement.all(values) : [];
      if (!statement.reader) statement.run(values);
      checkFile();
      return rows;
    });
  return {
    query,
    of: () => query,
    now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    lock: '',
    order: 'rowid',
    isDuplicate: (error) => sqliteCode(Object(error).cause ?? error) === 'SQLITE_CONSTRAINT_UNIQUE',
    erase: (): Promise<readonly Unreached[]> => eraseFile({ file }),
    close: async () => void connection.close(),
  };
}
