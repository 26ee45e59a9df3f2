import {
  fromDatabase,
  migrateSchema,
  openPool,
  Refused,
  type ServiceSchema,
  toDatabaseError,
  transact,
} from '@contextloom/postgres';
import type { Log } from '@contextloom/runtime';

const SCHEMA = 'contextloom_access';
/** The setting, as errors name it. */
export const SETTING = 'CONTEXTLOOM_KEYS_URL';
const CONNECTIONS = 4;

/** A value as a statement takes it. */
export type Value = string | number | null | readonly (string | number)[];

/** Runs one statement; parameters are `$1`, `$2`, …. */
export type Query = <Row extends object>(text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** What the servers of an installation on several machines know together. All reject with `ContextloomError`. */
export interface AccessDatabase {
  readonly query: Query;
  /** Runs statements in one transaction, while nobody else does so under the same number. */
  readonly alone: <T>(work: (query: Query) => Promise<T>, lock?: number) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** The keys lie in one row, as in the file: a list is replaced whole. What counts requests is not worth a log of transactions. */
export const accessSchema: ServiceSchema = {
  name: SCHEMA,
  migrations: [
    `CREATE TABLE keyring (one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), keys TEXT NOT NULL);
     ALTER TABLE keyring ALTER COLUMN keys SET STATISTICS 0;`,
    `CREATE TABLE records (
       seq BIGINT GENERATED ALWAYS AS IDENTITY, model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL,
       grant_id TEXT, uid TEXT, consumed_at BIGINT, created_at BIGINT NOT NULL, expires_at BIGINT, UNIQUE (model, id)
     );
     CREATE INDEX records_by_grant ON records (grant_id) WHERE grant_id IS NOT NULL;
     CREATE INDEX records_by_uid ON records (model, uid) WHERE uid IS NOT NULL;
     CREATE INDEX records_by_end ON records (expires_at) WHERE expires_at IS NOT NULL;
     ALTER TABLE records ALTER COLUMN payload SET STATISTICS 0;
     CREATE TABLE connections (
       id TEXT PRIMARY KEY, client_id TEXT NOT NULL, client_name TEXT NOT NULL, redirect_host TEXT NOT NULL, user_id TEXT NOT NULL,
       key_name TEXT NOT NULL, key_hash TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL
     );
     CREATE INDEX connections_by_client ON connections (client_id);
     ALTER TABLE connections ALTER COLUMN user_id SET STATISTICS 0;
     CREATE TABLE calls (
       seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, server TEXT NOT NULL, line TEXT NOT NULL
     );
     CREATE INDEX calls_of_server ON calls (server, seq);
     ALTER TABLE calls ALTER COLUMN line SET STATISTICS 0;
     CREATE UNLOGGED TABLE counts (
       name TEXT NOT NULL, minute BIGINT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (name, minute)
     );
     ALTER TABLE counts ALTER COLUMN name SET STATISTICS 0;`,
  ],
  lock: 4_117_219,
  setting: SETTING,
};

/** The tables by their schema: poolers such as PgBouncer keep no search path for a caller. */
const toQualified = (text: string): string =>
  text.replace(/\b(FROM|INTO|UPDATE) (keyring|records|connections|calls|counts)\b/g, `$1 ${SCHEMA}.$2`);

/** Has the product's errors for what the database throws, and for nothing else. */
async function withErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? toDatabaseError(error.cause, SCHEMA, { setting: SETTING }) : error;
  }
}

const toBegin = (lock: number): string =>
  `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock(${lock});`;

/**
 * Opens what servers of several machines share of who may call, in a schema of its own, which is made when missing.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openAccessDatabase({
  url,
  log,
}: {
  readonly url: string;
  readonly log: Log;
}): Promise<AccessDatabase> {
  const pool = await openPool({ url, application: 'contextloom-keys', log, connections: CONNECTIONS });
  try {
    await withErrors(() => fromDatabase(migrateSchema(pool, accessSchema)));
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    query: <Row extends object>(text: string, values: readonly Value[] = []) =>
      withErrors(async () => (await fromDatabase(pool.query(toQualified(text), [...values]))).rows as Row[]),
    alone: (work, lock = accessSchema.lock) =>
      withErrors(() =>
        transact(
          pool,
          () => toBegin(lock),
          ({ query }) => work((text, values) => query(toQualified(text), values)),
        ),
      ),
    close: () => pool.end(),
  };
}
