import {
  again,
  fromDatabase,
  migrateSchema,
  openPool,
  type Pool,
  type PoolClient,
  prepareRole,
  Refused,
  toDatabaseError,
  transact,
} from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';
import type { Visibility } from '../../domain/store.ts';
import { documentRole, documentSchema, FIRST, OWNERS, ROLE, SCHEMA } from './schema.ts';
import { FINGERPRINT, toTransaction, type Work } from './transaction.ts';

/** Documents in Postgres. Whatever a statement says, the database shows a transaction the rows of its owners alone. */
export interface DocumentDatabase {
  /** Reads one state of the rows that a call may see. */
  readonly read: <T>(visible: Visibility, work: Work<T>) => Promise<T>;
  /** Changes rows of everybody, all or none; begins again where another change came in between. */
  readonly write: <T>(work: Work<T>, lock?: 'ROW EXCLUSIVE' | 'SHARE ROW EXCLUSIVE') => Promise<T>;
  /** Works while no other process does the same, as long as the connection lasts; undefined where another does, unless it waits. */
  readonly alone: <T>(what: keyof typeof LOCKS, work: () => Promise<T>, waits?: boolean) => Promise<T | undefined>;
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
/** The advisory locks of what one process does at a time: making the index again, moving documents in. */
const LOCKS = { rebuild: 4_117_222, takeover: 4_117_223 } as const;

/** What every transaction begins with: all of it ends with the transaction, so that poolers may hand connections around. */
function toPreamble(asRole: boolean) {
  const role = asRole ? `SET LOCAL ROLE ${ROLE};` : '';
  return (client: PoolClient, owners: string): string =>
    `SET LOCAL search_path TO ${SCHEMA}; ${role}
     SELECT set_config('${OWNERS}', ${client.escapeLiteral(owners)}, true);`;
}

const toOwners = (visible: Visibility): string => (visible.kind === 'everyone' ? '*' : visible.owners.join('\n'));

/** What a person can do where the database may keep other stores and not this one. */
const WITHOUT = 'set KB_STORE=embedded to keep the documents in KB_DATA_DIR';

/** Where the documents are. */
export interface OpenDocumentDatabaseOptions {
  readonly url: string;
  readonly log: Log;
}

/** Has the product's errors for what the database throws. */
async function withErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? toDatabaseError(error.cause, SCHEMA, { without: WITHOUT }) : error;
  }
}

/** Runs work in a transaction that knows what derived the index. */
const begun = <T>(pool: Pool, toBegin: (client: PoolClient) => string, work: Work<T>): Promise<T> =>
  transact(
    pool,
    (client) => `${toBegin(client)} ${FINGERPRINT}`,
    (opened) => work(toTransaction(opened)),
  );

const READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${READING_MS};`;
// Acknowledged means durable, however the server is set up.
const WRITING = `BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = ${LOCK_MS};`;

/**
 * Opens the documents of a Postgres database, in a schema of their own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openDocumentDatabase({ url, log }: OpenDocumentDatabaseOptions): Promise<DocumentDatabase> {
  const pool = await openPool({ url, application: 'contextloom-knowledge-base', log, connections: CONNECTIONS });
  let ended: Promise<void> | undefined;
  /** What ends the connections whose locks are held while other work goes on, perhaps for ever. */
  const locked = new Set<() => void>();
  const close = (): Promise<void> => {
    ended ??= pool.end();
    for (const end of locked) end();
    return ended;
  };
  const prepare = async () => {
    await fromDatabase(migrateSchema(pool, documentSchema, FIRST));
    return fromDatabase(prepareRole(pool, documentRole));
  };
  const role = await withErrors(prepare).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const begin = toPreamble(role === 'role');
  const run = <T>(toBegin: (client: PoolClient) => string, work: Work<T>) =>
    withErrors(() => again(() => begun(pool, toBegin, work)));
  return {
    read: (visible, work) => run((client) => `${READING} ${begin(client, toOwners(visible))}`, work),
    write: (work, lock = 'ROW EXCLUSIVE') =>
      run((client) => `${WRITING} ${begin(client, '*')} LOCK TABLE documents IN ${lock} MODE;`, work),
    alone: (what, work, waits = false) =>
      run(
        (client) => `BEGIN; ${begin(client, '')}`,
        async ({ query, end }) => {
          if (waits) await query(`SELECT pg_advisory_xact_lock(${LOCKS[what]})`);
          const [lock] = await query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCKS[what]}) AS taken`);
          if (lock?.taken !== true) return undefined;
          locked.add(end);
          return work().finally(() => locked.delete(end));
        },
      ),
    run: <Row extends object>(text: string) =>
      withErrors(async () => (await fromDatabase(pool.query(text))).rows as unknown as readonly Row[]),
    isOpen: role === 'open',
    close,
  };
}
