import { constants, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import {
  asked,
  migrateSchema,
  openPool,
  type Pool,
  Refused,
  type ServiceSchema,
  toDatabaseError,
  transact,
} from '@contextloom/postgres';
import { type Log, toFileError, updateFile } from '@contextloom/runtime';
import { type KeyStore, toUnreadable } from './key-source.ts';
import { listKeys } from './manage-keys.ts';
import { parseKeyFile, type StoredKey } from './stored-key.ts';

/** The keys of an installation whose servers run on several machines. */
export interface KeyDatabase extends KeyStore {
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where they are. */
export interface KeyDatabaseOptions {
  readonly url: string;
  /** The file whose keys are taken over where the database has none. */
  readonly file: string;
  readonly log: Log;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

const SCHEMA = 'contextloom_access';
/** The setting, as errors name it. */
const SETTING = 'CONTEXTLOOM_KEYS_URL';
/** For how long keys count as they were read, and how long a request waits for them, in milliseconds: a revoked key ends within a second. */
const FRESH_MS = 400;
const WAIT_MS = 3_000;
const CONNECTIONS = 2;

/** All in one row, as in the file: a list is replaced whole. */
const schema: ServiceSchema = {
  name: SCHEMA,
  migrations: [
    `CREATE TABLE keyring (one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one), keys TEXT NOT NULL);
     ALTER TABLE keyring ALTER COLUMN keys SET STATISTICS 0;`,
  ],
  lock: 4_117_219,
  setting: SETTING,
};

const toText = (keys: readonly StoredKey[]): string => JSON.stringify({ version: 1, keys });
const toKeys = (text: string): readonly StoredKey[] => parseKeyFile(text, `the table keyring of ${SETTING}`);

/** Has the product's errors for what the database throws, and for nothing else. */
async function withErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? toDatabaseError(error.cause, SCHEMA, { setting: SETTING }) : error;
  }
}

async function readKeyring(pool: Pool): Promise<readonly StoredKey[] | undefined> {
  const { rows } = await asked(pool.query<{ keys: string }>(`SELECT keys FROM ${SCHEMA}.keyring`));
  return rows[0] === undefined ? undefined : toKeys(rows[0].keys);
}

const BEGIN = `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock(${schema.lock});`;

/** Changes the list while nobody else does. */
function changeKeyring(
  pool: Pool,
  toNext: (keys: readonly StoredKey[] | undefined) => readonly StoredKey[] | undefined,
): Promise<void> {
  return transact(
    pool,
    () => BEGIN,
    async ({ query }) => {
      const [row] = await query<{ keys: string }>(`SELECT keys FROM ${SCHEMA}.keyring`);
      const next = toNext(row === undefined ? undefined : toKeys(row.keys));
      if (next === undefined) return;
      await query(
        `INSERT INTO ${SCHEMA}.keyring (keys) VALUES (?) ON CONFLICT (one) DO UPDATE SET keys = excluded.keys`,
        [toText(next)],
      );
    },
  );
}

/**
 * What the file has goes into an empty database; the file then lets nobody in, so that a server without the setting opens no door. Also where
 * a start before this one was killed in between.
 */
async function takeOver(pool: Pool, { file, log }: KeyDatabaseOptions): Promise<void> {
  if (!existsSync(file)) return;
  const keys = await listKeys({ file });
  await changeKeyring(pool, (known) => (known === undefined ? keys : undefined));
  if (keys.length === 0) return;
  const known = new Set((await readKeyring(pool))?.map(({ hash }) => hash));
  if (!keys.every(({ hash }) => known.has(hash))) {
    log.warn(
      { file },
      `the file has keys that the database of ${SETTING} does not: they count for servers without it alone`,
    );
    return;
  }
  const kept = file.replace(/(?:\.json)?$/, '.before-postgres.json');
  // Another process may have been as quick, and have emptied the file since it was read.
  await copyFile(file, kept, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') throw toFileError(error, file, 'read');
  });
  await updateFile(file, () => `${JSON.stringify({ version: 1, keys: [] }, null, 2)}\n`, { mode: 0o600 });
  log.info({ keys: keys.length, kept }, `the keys are in the database of ${SETTING}; the file has none any more`);
}

/**
 * Opens the keys of a Postgres database, in a schema of their own, which is made when missing; takes over those of the file.
 * @throws ContextloomError `unavailable` for a database that cannot be reached, or has a newer schema
 */
export async function openKeyDatabase(options: KeyDatabaseOptions): Promise<KeyDatabase> {
  const { url, log, now = () => performance.now() } = options;
  const pool = await openPool({ url, application: 'contextloom-keys', log, connections: CONNECTIONS });
  let keys: readonly StoredKey[] | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const from = now();
    const late = sleep(WAIT_MS, 'late' as const, { ref: false });
    const found = await Promise.race([readKeyring(pool), late]);
    if (found === 'late') throw new ContextloomError('timeout', `the database of ${SETTING} does not answer`);
    [keys, readAt] = [found, from];
  };
  const refresh = async (): Promise<void> => {
    if (now() - readAt < FRESH_MS) return;
    reading ??= load().finally(() => {
      reading = undefined;
    });
    await reading.catch((error: unknown) => {
      throw toUnreadable(error);
    });
  };
  try {
    await withErrors(async () => {
      await asked(migrateSchema(pool, schema));
      await takeOver(pool, options);
      await load();
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    read: () => {
      // Whoever does not wait for it finds what is new the next time.
      void refresh().catch(() => undefined);
      return keys;
    },
    refresh,
    list: () => withErrors(async () => (await readKeyring(pool)) ?? []),
    change: async (toNext) => {
      await withErrors(() => changeKeyring(pool, (known) => toNext(known ?? [])));
      readAt = Number.NEGATIVE_INFINITY;
    },
    close: () => pool.end(),
  };
}
