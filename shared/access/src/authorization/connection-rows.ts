import { createPrepare, openDatabase, type RowsOfFile, takeRows } from '@contextloom/sqlite';
import type { AccessDatabase, Query } from '../database/access-database.ts';

/** A statement with the values of `$1`, `$2`, …. */
export type Statement = readonly [text: string, ...values: (string | number | null)[]];

/** The tables of the authorization server, the same statements in both engines. */
export interface ConnectionRows {
  /** Runs statements in one transaction, while nobody else changes anything; answers the rows of each. */
  readonly change: (statements: readonly Statement[]) => Promise<readonly (readonly object[])[]>;
  readonly read: <Row extends object>(...statement: Statement) => Promise<readonly Row[]>;
  /** The column that counts records in the order in which they came. */
  readonly order: 'rowid' | 'seq';
  readonly close: () => Promise<void>;
}

/** The schema of the file next to the keys. */
export const connectionTables = [
  `
  CREATE TABLE records (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, grant_id TEXT, uid TEXT,
    consumed_at INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER,
    UNIQUE (model, id)
  );
  CREATE INDEX records_by_grant ON records (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX records_by_uid ON records (model, uid) WHERE uid IS NOT NULL;
  CREATE INDEX records_by_end ON records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE connections (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL, client_name TEXT NOT NULL, redirect_host TEXT NOT NULL,
    user_id TEXT NOT NULL, key_name TEXT NOT NULL, key_hash TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX connections_by_client ON connections (client_id);`,
];

/** Opens the file next to the keys. */
export function openConnectionFile(file: string): ConnectionRows {
  const database = openDatabase({ file, migrations: connectionTables });
  const prepare = createPrepare(database);
  // SQLite takes the numbers of parameters for their names.
  const run = <Row extends object>([text, ...values]: Statement): readonly Row[] => {
    const named = Object.fromEntries(values.map((value, at) => [String(at + 1), value]));
    const statement = prepare<Row>(text);
    if (statement.reader) return statement.all(named);
    statement.run(named);
    return [];
  };
  const change = database.transaction((statements: readonly Statement[]) => statements.map((one) => run(one)));
  return {
    change: async (statements) => change.immediate(statements),
    read: async <Row extends object>(...statement: Statement) => run<Row>(statement),
    order: 'rowid',
    close: async () => void database.close(),
  };
}

/** Who changes connections takes turns with nobody else. */
const LOCK = 4_117_221;

const toRowsOfFile = (file: string): RowsOfFile => ({
  file,
  migrations: connectionTables,
  tables: [
    {
      name: 'records',
      columns: 'model id payload grant_id uid consumed_at created_at expires_at'.split(' '),
      order: 'rowid',
    },
    {
      name: 'connections',
      columns: 'id client_id client_name redirect_host user_id key_name key_hash scopes created_at'.split(' '),
      order: 'id',
    },
  ],
});

/** Opens those of the database, and moves there what the file has. */
export async function takeConnectionFile(file: string, { query, alone }: AccessDatabase): Promise<ConnectionRows> {
  await takeRows(toRowsOfFile(file), (table, columns, values) => {
    const places = columns.map((_, at) => `$${at + 1}`).join(', ');
    return query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`, values);
  });
  const runAll = async (own: Query, statements: readonly Statement[]): Promise<readonly (readonly object[])[]> => {
    const answers = [];
    for (const [text, ...values] of statements) answers.push(await own(text, values));
    return answers;
  };
  return {
    change: (statements) => alone((own) => runAll(own, statements), LOCK),
    read: (text, ...values) => query(text, values),
    order: 'seq',
    // It is whose it was.
    close: async () => undefined,
  };
}
