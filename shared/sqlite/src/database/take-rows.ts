import { existsSync, rmSync } from 'node:fs';
import process from 'node:process';
import { openDatabase } from './open-database.ts';

/** A value of a row. */
type Value = string | number | null;

/** A file whose rows go into another database. */
export interface RowsOfFile {
  readonly file: string;
  readonly migrations: readonly string[];
  /** Its tables, those that others refer to first; a column is a name, or `<expression> AS <name>`. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly order: string }[];
}

/** Adds a row, unless it is there already. */
export type AddRow = (table: string, columns: readonly string[], values: readonly Value[]) => Promise<unknown>;

/**
 * Moves the rows of a file into another database, and removes the file, which has words of people. Rows that are there stay,
 * so that a start after one that was killed half-way goes on with it. Whoever has the file open meanwhile is refused: what it
 * has acknowledged is in the file by then.
 * @returns how many rows the file had; none where there is no file
 * @throws ContextloomError as `openDatabase` does, and whatever adding a row rejects with
 */
export async function takeRows({ file, migrations, tables }: RowsOfFile, addRow: AddRow): Promise<number> {
  if (!existsSync(file)) return 0;
  const remove = (): void => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  };
  const source = openDatabase({ file, migrations });
  let count = 0;
  try {
    // Nobody else writes until the file is gone.
    source.exec('BEGIN IMMEDIATE');
    for (const { name, columns, order } of tables) {
      const names = columns.map((column) => column.split(' AS ').at(-1) ?? column);
      const select = `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`;
      const rows = source.prepare<[], Readonly<Record<string, Value>>>(select).all();
      for (const row of rows) await addRow(name, names, Object.values(row));
      count += rows.length;
    }
    if (process.platform !== 'win32') remove();
  } finally {
    source.close();
  }
  // Windows removes no file that is open.
  remove();
  return count;
}
