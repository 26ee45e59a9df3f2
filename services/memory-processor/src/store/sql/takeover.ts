import { existsSync, rmSync } from 'node:fs';
import process from 'node:process';
import { openDatabase } from '@contextloom/sqlite';
import type { Parameter, SqlDatabase } from './sql-database.ts';

/** A file whose rows go into a Postgres database. */
export interface Takeover {
  readonly file: string;
  readonly migrations: readonly string[];
  /** Its tables, those that others refer to first; a column is a name, or `<expression> AS <name>`. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly order: string }[];
}

type Row = Readonly<Record<string, Parameter>>;

/**
 * Moves the rows of a file into Postgres at the first start with one, and removes the file, which has words of people. Rows that are there stay,
 * so that a start after one that was killed half-way goes on with it. Whoever has the file open meanwhile is refused: what it
 * has acknowledged is in the file by then.
 * @returns how many rows the file had
 * @throws ContextloomError as `openDatabase` does, and those of the database
 */
export async function takeOver({ file, migrations, tables }: Takeover, { query }: SqlDatabase): Promise<number> {
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
      const names = columns.map((column) => column.split(' AS ').at(-1));
      const places = columns.map((_, at) => `$${at + 1}`).join(', ');
      const insert = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`;
      const rows = source.prepare<[], Row>(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`).all();
      for (const row of rows) await query(insert, Object.values(row));
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
