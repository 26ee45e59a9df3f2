import { existsSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { type Database, openDatabase } from '@contextloom/sqlite';
import { migrations } from '../schema.ts';
import { USERS } from '../sql/count-user.ts';
import { copyUser } from './copy-user.ts';
import type { PostgresDatabase } from './database.ts';
import { SCHEMA } from './schema.ts';
import { readState, writeState } from './state.ts';

/** The files that have the memories of before. */
export interface FormerFiles {
  /** The file of all users, or the folder of a file for each. */
  readonly place: string;
  /** What it is called once its memories are in Postgres. */
  readonly moved: string;
  /** The databases in it. */
  readonly list: () => readonly string[];
  readonly cipherKey: string | undefined;
  readonly backupFolder: string;
}

/** What memories are moved into. */
export interface TakeoverOptions {
  readonly database: PostgresDatabase;
  readonly files: FormerFiles;
  /** Names the embedder of this program. */
  readonly fingerprint: string;
  readonly log: Log;
}

const toPlace = ({ place }: FormerFiles): string => `${place} on ${hostname()}`;
const usersOf = (file: Database): readonly string[] => file.prepare<[], string>(USERS).pluck().all();

/** Works with each database of the files, which nobody else changes meanwhile. */
async function withEach(
  { list, cipherKey }: FormerFiles,
  work: (file: Database, path: string) => Promise<void>,
): Promise<void> {
  for (const path of list()) {
    const file = openDatabase({ file: path, migrations, cipherKey });
    try {
      file.pragma('wal_checkpoint(TRUNCATE)');
      file.exec('BEGIN IMMEDIATE');
      await work(file, path);
      file.exec('ROLLBACK');
    } finally {
      file.close();
    }
  }
}

async function hasUsers(files: FormerFiles): Promise<boolean> {
  let count = 0;
  await withEach(files, async (file) => {
    count += usersOf(file).length;
  });
  return count > 0;
}

/** Copies one user, all or nothing; one who was copied before the takeover was cut off is there already. */
async function move(file: Database, user: string, { database, fingerprint }: TakeoverOptions): Promise<void> {
  await database.write({ user }, async (sql) => {
    const [known] = await sql.query('SELECT 1 AS known FROM last_numbers WHERE user_id = ? LIMIT 1', [user]);
    const [fact] = await sql.query('SELECT 1 AS known FROM user_profile WHERE user_id = ? LIMIT 1', [user]);
    if (known !== undefined || fact !== undefined) return;
    const madeBy = await copyUser({ file, sql, user });
    if (madeBy.some((one) => one !== fingerprint)) await writeState(sql, 'unfinished', fingerprint);
  });
}

/** Moves the files aside once all is copied: whoever has one open notices that it is gone. */
async function moveAll(options: TakeoverOptions): Promise<number> {
  const { database, files } = options;
  await database.write('everyone', (sql) => writeState(sql, 'takeover', toPlace(files)));
  let users = 0;
  await withEach(files, async (file, path) => {
    for (const user of usersOf(file)) {
      await move(file, user, options);
      users += 1;
    }
    if (path === files.place) renameSync(path, files.moved);
  });
  if (existsSync(files.place)) renameSync(files.place, files.moved);
  await database.write('everyone', (sql) => writeState(sql, 'takeover', undefined));
  return users;
}

/** Whether the files have memories that are not in Postgres yet, as far as that is known. */
async function isToMove({ database, files }: TakeoverOptions): Promise<boolean> {
  const { isEmpty, from } = await database.read('everyone', async (sql) => {
    const filled = await sql.query(`SELECT 1 AS filled FROM (${USERS}) AS users LIMIT 1`);
    return { isEmpty: filled.length === 0, from: await readState(sql, 'takeover') };
  });
  if (from === toPlace(files)) return true;
  if (from !== undefined) {
    const message = `the memories of ${from} are being moved to the database of DATABASE_URL: try again when that is done, or start the server there again if it was ended; where it is gone for good, deleting the row "takeover" of ${SCHEMA}.state does without the rest`;
    throw new ContextloomError('unavailable', message);
  }
  if (!(await hasUsers(files))) return false;
  if (isEmpty) return true;
  const message = `${files.place} has memories, and the database of DATABASE_URL has others: set PERSONAL_MEMORY_STORE=embedded to go on with the files of ${dirname(files.place)}, or move them away`;
  throw new ContextloomError('unavailable', message);
}

/**
 * Takes over the memories of files when a Postgres database without any is opened; goes on where it was cut off.
 * @throws ContextloomError `unavailable` where both have memories: neither is hidden by the other
 */
export async function takeOver(options: TakeoverOptions): Promise<void> {
  const { database, log, files } = options;
  if (!(await isToMove(options))) return;
  await database.alone('takeover', async () => {
    // Another process may have moved them while this one waited.
    if (!(await isToMove(options))) return;
    log.info({ from: files.place }, 'moving the memories of the files to the database of DATABASE_URL');
    const users = await moveAll(options);
    log.info({ users, kept: files.moved }, 'the memories are in Postgres; the files are kept under another name');
  });
}

/**
 * Refuses to begin with empty files where the memories were moved to Postgres.
 * @throws ContextloomError `unavailable`
 */
export function refuseMoved({ place, moved }: Pick<FormerFiles, 'place' | 'moved'>): void {
  if (existsSync(place) || !existsSync(moved)) return;
  const message = `the memories of ${place} were moved to Postgres: set DATABASE_URL to its address, or rename ${moved} to ${place} to go on with them as they were before`;
  throw new ContextloomError('unavailable', message);
}
