import { ContextloomError } from '@contextloom/contracts';
import {
  again,
  fromDatabase,
  migrateSchema,
  openPool,
  type PoolClient,
  prepareRole,
  Refused,
  toDatabaseError,
  toPostgresText,
  transact,
} from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import type { Sql } from '../sql/sql.ts';
import { createPostgresSql } from './postgres-sql.ts';
import { FIRST, memoryRole, memorySchema, ROLE, SCHEMA, USER } from './schema.ts';

/** Whose rows a transaction sees: one user's, or all. Whatever a statement says, the database shows it no others. */
export type Scope = { readonly user: string } | 'everyone';

/** One transaction of a process that derives its index by `own`. */
type Work<T> = (sql: Sql) => Promise<T>;

/** Memories in Postgres. */
export interface PostgresDatabase {
  /** Reads one state of the rows. */
  readonly read: <T>(scope: Scope, work: Work<T>) => Promise<T>;
  /** Changes rows, all or none; changes of one user come one after the other, in whichever process. */
  readonly write: <T>(scope: Scope, work: Work<T>) => Promise<T>;
  /** Works while no other process does the same, as long as the connection lasts. */
  readonly alone: <T>(what: keyof typeof LOCKS, work: () => Promise<T>) => Promise<T>;
  /** Runs a statement outside of transactions, as the user of DATABASE_URL. */
  readonly run: <Row extends object>(text: string) => Promise<readonly Row[]>;
  /** Whether the user of DATABASE_URL is above row-level security, and the role below it could not be made. */
  readonly isOpen: boolean;
  readonly close: () => Promise<void>;
}

const CONNECTIONS = 10;
/** How long one reading may take, and how long a change waits for a lock, in milliseconds. */
const READING_MS = 60_000;
const LOCK_MS = 30_000;
/** The advisory locks: of changes of one user, and of what one process does at a time. */
const OF_USER = 4_117_225;
const LOCKS = { index: 4_117_226, takeover: 4_117_227 } as const;

const READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${READING_MS};`;
// Acknowledged means durable, however the server is set up.
const WRITING = `BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LOCK_MS};`;
/** What a person can do where the database may keep other stores and not this one. */
const WITHOUT = 'set PERSONAL_MEMORY_STORE=embedded to keep the memories in PERSONAL_MEMORY_DATA_DIR';

const toScope = (scope: Scope): string => (scope === 'everyone' ? '*' : `u:${toPostgresText(scope.user)}`);

/** Has the product's errors for what the database throws. */
async function withErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? toDatabaseError(error.cause, SCHEMA, { without: WITHOUT }) : error;
  }
}

/** What every transaction begins with: all of it ends with the transaction, so that poolers may hand connections around. */
function toPreamble(asRole: boolean) {
  const role = asRole ? `SET LOCAL ROLE ${ROLE};` : '';
  return (client: PoolClient, scope: Scope): string =>
    `SET LOCAL search_path TO ${SCHEMA}; ${role} SELECT set_config('${USER}', ${client.escapeLiteral(toScope(scope))}, true);`;
}

const toTurn = (client: PoolClient, scope: Scope): string =>
  scope === 'everyone'
    ? ''
    : `SELECT pg_advisory_xact_lock(${OF_USER}, hashtext(${client.escapeLiteral(toScope(scope))}));`;

/** Where the memories are. */
export interface PostgresPlace {
  readonly url: string;
  readonly log: Log;
}

/**
 * Opens the memories of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openPostgresDatabase({ url, log }: PostgresPlace): Promise<PostgresDatabase> {
  const pool = await openPool({ url, application: 'contextloom-personal-memory', log, connections: CONNECTIONS });
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= pool.end();
    return ended;
  };
  const prepare = async () => {
    await fromDatabase(migrateSchema(pool, memorySchema, FIRST));
    return fromDatabase(prepareRole(pool, memoryRole));
  };
  const role = await withErrors(prepare).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const begin = toPreamble(role === 'role');
  const run = <T>(toBegin: (client: PoolClient) => string, work: Work<T>): Promise<T> => {
    if (ended !== undefined) throw new ContextloomError('unavailable', 'the store is closed');
    return withErrors(() => again(() => transact(pool, toBegin, (opened) => work(createPostgresSql(opened)))));
  };
  return {
    read: async (scope, work) => run((client) => `${READING} ${begin(client, scope)}`, work),
    write: async (scope, work) => run((client) => `${WRITING} ${begin(client, scope)} ${toTurn(client, scope)}`, work),
    alone: async (what, work) =>
      run((client) => `BEGIN; ${begin(client, 'everyone')} SELECT pg_advisory_xact_lock(${LOCKS[what]});`, work),
    run: async <Row extends object>(text: string) =>
      withErrors(async () => (await fromDatabase(pool.query(text))).rows as unknown as readonly Row[]),
    isOpen: role === 'open',
    close,
  };
}
