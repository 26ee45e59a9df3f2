import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ContextloomError } from '@contextloom/contracts';
import { type Database, openReadOnly, sqliteCode } from '@contextloom/sqlite';
import { MEMORY_TABLES } from '../formats/memory-tables.ts';
import type { Entry } from './source.ts';

const MARK = Buffer.from('SQLite format 3\0');

/** Whether a file begins as a SQLite database does. */
export async function beginsLikeDatabase(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length, 0);
    return bytesRead === MARK.length && buffer.equals(MARK);
  } finally {
    await handle.close();
  }
}

function findTables(database: Database): readonly string[] {
  const rows = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = new Set(rows.map(({ name }) => name));
  return Object.keys(MEMORY_TABLES).filter((name) => names.has(name));
}

/** The rows of the tables that hold memories, a line of JSON each. */
function* writeRows(file: string): Generator<Buffer> {
  let database: Database | undefined;
  try {
    database = openReadOnly(file);
    const tables = findTables(database);
    if (tables.length === 0)
      throw new ContextloomError('invalid', 'it is a database without tables of a program whose memories are read');
    for (const table of tables) {
      const order = MEMORY_TABLES[table]?.order ?? 'rowid';
      for (const row of database
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY ${order}`)
        .iterate()) {
        const cells = Object.entries(row).filter(([, cell]) => !Buffer.isBuffer(cell));
        yield Buffer.from(`${JSON.stringify({ memory_table: table, ...Object.fromEntries(cells) })}\n`);
      }
    }
  } catch (cause) {
    if (sqliteCode(cause) === undefined) throw cause;
    throw new ContextloomError('invalid', 'the database cannot be read', { cause });
  } finally {
    database?.close();
  }
}

/** A database of another program's memories as a text that is read like any other: a line of JSON a row. */
export function toDatabaseEntry(file: string, path: string, size: number): Entry {
  return { path, size, open: async () => Readable.from(writeRows(file)) };
}
