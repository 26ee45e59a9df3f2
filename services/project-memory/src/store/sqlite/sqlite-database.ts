import {
  createFileCheck,
  createPrepare,
  createTransactions,
  type Database,
  openDatabase,
  openReadOnly,
  parseStoredJson,
  type Transactions,
  withStorageErrors,
} from '@contextloom/sqlite';
import { type Row, requireCaller, type Sql, type SqlDatabase } from '../database.ts';
import { createStoredClock, sqliteDialect, toParameter, toStoredSeconds, toStoredTime } from './dialect.ts';
import { migrations } from './schema.ts';

/** A list of columns of one row. */
export type RawRow = readonly unknown[];

/** What is written to a database whose vectors are of one space. */
interface Restriction {
  readonly dimensions: number;
  /** Called in each transaction before anything is written. */
  readonly check: () => void;
}

/** An SQLite database: one connection writes, another reads what is committed. */
export interface SqliteDatabase extends SqlDatabase {
  /** The connection that writes. */
  readonly connection: Database;
  readonly transactions: Transactions;
  /** Goes through rows that are too many to be kept; in a transaction, `sql` is that of the transaction. */
  readonly each: (text: string, parameters: readonly unknown[], take: (row: RawRow) => void, sql?: Sql) => void;
  readonly until: (signal: AbortSignal | undefined) => SqliteDatabase;
  /** Says what holds for all that is written from now on. */
  readonly restrict: (restriction: Restriction) => void;
}

const COLUMNS_OF_JSON = ['tags'];

function toRow(row: Row): Row {
  const texts = COLUMNS_OF_JSON.filter((column) => typeof row[column] === 'string');
  if (texts.length === 0) return row;
  return { ...row, ...Object.fromEntries(texts.map((column) => [column, parseStoredJson(String(row[column]))])) };
}

/** Parameters by their numbers, which SQLite takes for names. */
const toBinding = (parameters: readonly unknown[], dimensions?: number): Record<string, unknown> =>
  Object.fromEntries(parameters.map((value, at) => [String(at + 1), toParameter(value, dimensions)]));

/** Statements of one connection. */
interface Connection {
  readonly sql: Sql;
  readonly each: (text: string, parameters: readonly unknown[], take: (row: RawRow) => void) => void;
}

function createConnection(database: Database, now: () => string, dimensions: () => number | undefined): Connection {
  const bind = (parameters: readonly unknown[]) => toBinding(parameters, dimensions());
  const prepare = createPrepare(database);
  database.function('now', now);
  database.function('to_time', { deterministic: true }, (text) => toStoredTime(text as string | null));
  database.function('to_timestamp', { deterministic: true }, (at) => toStoredSeconds(at as number | null));
  return {
    sql: {
      dialect: sqliteDialect,
      query: async <T extends object>(text: string, parameters: readonly unknown[] = []) =>
        withStorageErrors(() => {
          const statement = prepare<Row>(text);
          if (statement.reader) return statement.all(bind(parameters)).map(toRow) as unknown as readonly T[];
          statement.run(bind(parameters));
          return [];
        }),
    },
    each: (text, parameters, take) =>
      withStorageErrors(() => {
        // A statement of its own: one that is gone through cannot be used for anything else.
        const rows = database.prepare(text).raw().iterate(bind(parameters)) as IterableIterator<RawRow>;
        for (const row of rows) take(row);
      }),
  };
}

/**
 * Opens a database in a file, which is made when missing; other processes may have it open too.
 * @throws ContextloomError as `openDatabase` does
 */
export function openSqliteDatabase(file: string): SqliteDatabase {
  const connection = openDatabase({ file, migrations });
  const reading = openReadOnly(file);
  const checkFile = createFileCheck(connection);
  const transactions = createTransactions(connection, { checkFile });
  // The database's own clock, as with Postgres.
  const readClock = connection.prepare<[], number>("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)").pluck();
  const clock = createStoredClock(() => readClock.get() ?? 0);
  let began = clock();
  let restriction: Restriction | undefined;
  const dimensions = () => restriction?.dimensions;
  const writer = createConnection(connection, () => began, dimensions);
  const reader = createConnection(reading, clock, dimensions);
  const toDatabase = (signal?: AbortSignal): SqliteDatabase => ({
    connection,
    transactions,
    dialect: sqliteDialect,
    // A statement holds the only thread that could hear of a signal: it is looked at between two.
    query: async (text, parameters) => {
      requireCaller(signal);
      const rows = await reader.sql.query<never>(text, parameters);
      checkFile();
      return rows;
    },
    each: (text, parameters, take, sql) => {
      requireCaller(signal);
      (sql === writer.sql ? writer : reader).each(text, parameters, take);
    },
    until: toDatabase,
    restrict: (given) => {
      restriction = given;
    },
    transaction: (work) =>
      transactions.runAwaited(() => {
        began = clock();
        restriction?.check();
        return work(writer.sql);
      }),
    close: async () => {
      await transactions.close();
      withStorageErrors(() => {
        reading.close();
        connection.close();
      });
    },
  });
  return toDatabase();
}
