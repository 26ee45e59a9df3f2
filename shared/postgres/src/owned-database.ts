import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { PoolClient } from 'pg';
import { toDatabaseError } from './errors.ts';
import { migrateSchema, type ServiceSchema } from './migrate.ts';
import { openPool } from './pool.ts';
import { prepareRole, type StatementRole } from './role.ts';
import { again, fromDatabase, type OpenTransaction, Refused, transact } from './transaction.ts';

/** Rows with owners in Postgres. Whatever a statement says, the database shows a transaction the rows of its owners alone. */
export interface OwnedDatabase<Sql> {
  /** Reads one state of the rows that the owners' policies let through. */
  readonly read: <T>(owners: string, work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Changes rows, all or none, after a statement that takes locks; begins again where another change came in between. */
  readonly write: <T>(owners: string, lock: string, work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Works while no other process has the advisory lock, as long as the connection lasts; undefined where one has it, unless it waits. */
  readonly alone: <T>(lock: number, waits: boolean, work: () => Promise<T>) => Promise<T | undefined>;
  /** Runs a statement outside of transactions, as the user of the address. */
  readonly run: <Row extends object>(text: string) => Promise<readonly Row[]>;
  /** Whether the user of the address is above row-level security, and the role below it could not be made. */
  readonly isOpen: boolean;
  readonly close: () => Promise<void>;
}

/** Where the rows are, and how a service has them. */
export interface OwnedDatabaseOptions<Sql> {
  readonly url: string;
  readonly application: string;
  readonly log: Log;
  readonly schema: ServiceSchema;
  /** What is run once, after the tables were made. */
  readonly first: string;
  /** The role that statements run as where the user of the address is above row-level security. */
  readonly role: StatementRole;
  /** The setting that the policies read: whose rows a transaction sees. */
  readonly owners: string;
  /** What a person can do where the database may keep other stores and not this one; absent where it keeps all or none. */
  readonly without?: string;
  /** Most connections at once; 10 by default. */
  readonly connections?: number;
  /** The last statement that every transaction begins with; `toSql` has its first row. */
  readonly last?: string;
  readonly toSql: (opened: OpenTransaction) => Sql;
}

const CONNECTIONS = 10;
/** How long one reading may take, and how long a change waits for a lock, in milliseconds. */
const READING_MS = 60_000;
const LOCK_MS = 30_000;
// Without statistics of owners, Postgres takes one user for a two-hundredth of all: at ten million rows it would compile each reading and call
// further processes for it, which costs more than the reading.
const PLAIN = 'SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0;';
const READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${READING_MS}; ${PLAIN}`;
// Acknowledged means durable, however the server is set up.
const WRITING = `BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LOCK_MS};`;

/** How a transaction begins, and whose rows it sees. */
interface Beginning {
  readonly begin: string;
  readonly owners: string;
  readonly lock?: string;
}

type Named = Pick<OwnedDatabaseOptions<never>, 'schema' | 'role' | 'owners' | 'last'>;

/** What every transaction begins with: all of it ends with the transaction, so that poolers may hand connections around. */
function toPreamble({ schema, role, owners: setting, last = '' }: Named, asRole: boolean) {
  const begun = `SET LOCAL search_path TO ${schema.name}; ${asRole ? `SET LOCAL ROLE ${role.name};` : ''}`;
  return ({ begin, owners, lock = '' }: Beginning) =>
    (client: PoolClient): string =>
      `${begin} ${begun} SELECT set_config('${setting}', ${client.escapeLiteral(owners)}, true); ${lock} ${last}`;
}

/** Has the product's errors for what the database throws. */
const createErrors =
  (schema: string, without: string | undefined) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Refused
        ? toDatabaseError(error.cause, schema, without === undefined ? {} : { without })
        : error;
    }
  };

/** Takes an advisory lock for as long as a transaction lasts. */
async function takeLock({ query }: OpenTransaction, lock: number, waits: boolean): Promise<boolean> {
  if (waits) await query(`SELECT pg_advisory_xact_lock(${lock})`);
  const [row] = await query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${lock}) AS taken`);
  return row?.taken === true;
}

/**
 * Opens the rows of a service in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openOwnedDatabase<Sql>(options: OwnedDatabaseOptions<Sql>): Promise<OwnedDatabase<Sql>> {
  const { url, application, log, schema, first, role, without, toSql, connections = CONNECTIONS } = options;
  const pool = await openPool({ url, application, log, connections });
  const withErrors = createErrors(schema.name, without);
  let ended: Promise<void> | undefined;
  /** What ends the connections whose locks are held while other work goes on, perhaps for ever. */
  const locked = new Set<() => void>();
  const close = (): Promise<void> => {
    ended ??= pool.end();
    for (const end of locked) end();
    return ended;
  };
  const prepare = async () => {
    await fromDatabase(migrateSchema(pool, schema, first));
    return fromDatabase(prepareRole(pool, role));
  };
  const running = await withErrors(prepare).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const toBegin = toPreamble(options, running === 'role');
  const run = async <T>(beginning: Beginning, work: (opened: OpenTransaction) => Promise<T>): Promise<T> => {
    if (ended !== undefined) throw new ContextloomError('unavailable', 'the store is closed');
    return withErrors(() => again(() => transact(pool, toBegin(beginning), work)));
  };
  return {
    read: (owners, work) => run({ begin: READING, owners }, (opened) => work(toSql(opened))),
    write: (owners, lock, work) => run({ begin: WRITING, owners, lock }, (opened) => work(toSql(opened))),
    alone: (lock, waits, work) =>
      run({ begin: 'BEGIN;', owners: '' }, async (opened) => {
        if (!(await takeLock(opened, lock, waits))) return undefined;
        locked.add(opened.end);
        return work().finally(() => locked.delete(opened.end));
      }),
    run: <Row extends object>(text: string) =>
      withErrors(async () => (await fromDatabase(pool.query(text))).rows as unknown as readonly Row[]),
    isOpen: running === 'open',
    close,
  };
}
