import { constants, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { type Log, toFileError, updateFile } from '@contextloom/runtime';
import { type AccessDatabase, openAccessDatabase, type Query, SETTING } from '../database/access-database.ts';
import { type KeyStore, toUnreadable } from './key-source.ts';
import { listKeys } from './manage-keys.ts';
import { parseKeyFile, type StoredKey } from './stored-key.ts';

/** The keys of an installation whose servers run on several machines. */
export interface KeyDatabase extends KeyStore {
  readonly refresh: () => Promise<void>;
  /** What else the servers know together lies next to the keys. */
  readonly database: AccessDatabase;
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

/** For how long keys count as they were read, and how long a request waits for them, in milliseconds: a revoked key ends within a second. */
const FRESH_MS = 400;
const WAIT_MS = 3_000;

const toText = (keys: readonly StoredKey[]): string => JSON.stringify({ version: 1, keys });
const toKeys = (text: string): readonly StoredKey[] => parseKeyFile(text, `the table keyring of ${SETTING}`);

async function readKeyring(query: Query): Promise<readonly StoredKey[] | undefined> {
  const [row] = await query<{ keys: string }>('SELECT keys FROM keyring');
  return row === undefined ? undefined : toKeys(row.keys);
}

/** Changes the list while nobody else does. */
const changeKeyring = (
  { alone }: AccessDatabase,
  toNext: (keys: readonly StoredKey[] | undefined) => readonly StoredKey[] | undefined,
): Promise<void> =>
  alone(async (query) => {
    const next = toNext(await readKeyring(query));
    if (next === undefined) return;
    await query('INSERT INTO keyring (keys) VALUES ($1) ON CONFLICT (one) DO UPDATE SET keys = excluded.keys', [
      toText(next),
    ]);
  });

/**
 * What the file has goes into an empty database; the file then lets nobody in, so that a server without the setting opens no endpoint. Also where
 * a start before this one was killed in between.
 */
async function takeOver(database: AccessDatabase, { file, log }: KeyDatabaseOptions): Promise<void> {
  if (!existsSync(file)) return;
  const keys = await listKeys({ file });
  await changeKeyring(database, (known) => (known === undefined ? keys : undefined));
  if (keys.length === 0) return;
  const known = new Set((await readKeyring(database.query))?.map(({ hash }) => hash));
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
  const database = await openAccessDatabase({ url, log });
  const { query } = database;
  let keys: readonly StoredKey[] | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const from = now();
    const late = sleep(WAIT_MS, 'late' as const, { ref: false });
    const found = await Promise.race([readKeyring(query), late]);
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
    await takeOver(database, options);
    await load();
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database,
    read: () => {
      // Whoever does not wait for it finds what is new the next time.
      void refresh().catch(() => undefined);
      return keys;
    },
    refresh,
    list: async () => (await readKeyring(query)) ?? [],
    change: async (toNext) => {
      await changeKeyring(database, (known) => toNext(known ?? []));
      readAt = Number.NEGATIVE_INFINITY;
    },
    close: database.close,
  };
}
