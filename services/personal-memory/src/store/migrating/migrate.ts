import { existsSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { ContextloomError } from '@contextloom/contracts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { readState, writeState } from '../postgres/state.ts';
import type { FormerFiles } from '../postgres/takeover.ts';
import { createNewFiles, openFileSide, type Source, type Target, toPostgresSide } from './sides.ts';
import { toDigest } from './snapshot.ts';

/** What memories are moved between. */
export interface MigrateOptions {
  readonly database: PostgresDatabase;
  readonly files: FormerFiles;
  /** The name of a user's file where each has one; absent where all are in one. */
  readonly toName?: ((user: string) => string) | undefined;
  /** Names the embedder of this program. */
  readonly fingerprint: string;
  /** Ends the work between two users. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** What a migration came to. */
export interface MigrateReport {
  readonly users: number;
  /** How often a user was written, now. */
  readonly copied: number;
  readonly isInterrupted: boolean;
}

/** After so many passes that all found something new, others write faster than this copies. */
const PASSES = 20;

/** Copies every user who differs, and compares by count and digest what is there afterwards; answers how many were written. */
async function copyOnce(source: Source, target: Target, { signal }: MigrateOptions): Promise<number> {
  let copied = 0;
  const users = await source.users();
  // Who was forgotten since an earlier pass is forgotten there too.
  for (const user of [...new Set([...users, ...(await target.users())])].sort()) {
    if (signal.aborted) return copied;
    const [wanted, known] = [await source.read(user), await target.read(user)];
    if (toDigest(wanted) === toDigest(known)) continue;
    const arrived = toDigest(await target.replace(user, wanted));
    if (arrived !== toDigest(wanted)) {
      const message = `a memory did not arrive as it was: ${toDigest(wanted)} became ${arrived}; nothing was changed where it is`;
      throw new ContextloomError('unavailable', message);
    }
    copied += 1;
  }
  return copied;
}

/** Copies until a pass finds nothing new. */
async function copyAll(source: Source, target: Target, options: MigrateOptions): Promise<number> {
  let copied = 0;
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const now = await copyOnce(source, target, options);
    copied += now;
    options.onProgress(`pass ${pass}: ${now} users written`);
    if (now === 0 || options.signal.aborted) return copied;
  }
  return copied;
}

const NOTHING: MigrateReport = { users: 0, copied: 0, isInterrupted: false };
const refuse = (message: string): ContextloomError => new ContextloomError('conflict', message);

/** Says in the database that memories are being moved, so that no server begins with half of them. */
async function begin({ database, files }: MigrateOptions, target: Target): Promise<void> {
  const own = `${files.place} on ${hostname()} (contextloom migrate)`;
  const found = await database.read('everyone', (sql) => readState(sql, 'takeover'));
  if (found === own) return;
  if (found !== undefined) throw refuse(`the memories of ${found} are being moved to the database of DATABASE_URL`);
  if ((await target.users()).length > 0) {
    throw refuse(
      `the database of DATABASE_URL has memories already: move ${files.place} away, or name an empty database`,
    );
  }
  await database.write('everyone', (sql) => writeState(sql, 'takeover', own));
}

/**
 * Moves the memories of files to Postgres while others work with the files; at the end the files are moved aside.
 * Files that there are none of were moved before, or never made.
 * @throws ContextloomError `conflict` where both have memories
 */
export async function migrateToPostgres(options: MigrateOptions): Promise<MigrateReport> {
  const { database, files, fingerprint, signal } = options;
  const list = files.list();
  if (list.length === 0) return NOTHING;
  const target = toPostgresSide(database, fingerprint);
  await begin(options, target);
  const source = openFileSide(list, files.cipherKey);
  let copied = 0;
  try {
    copied = await copyAll(source, target, options);
    if (signal.aborted) return { users: (await target.users()).length, copied, isInterrupted: true };
    // What was written since the last pass: nobody writes until the files are gone.
    source.lock();
    copied += await copyOnce(source, target, options);
    if (signal.aborted) return { users: (await target.users()).length, copied, isInterrupted: true };
    if (files.list().some((file) => !list.includes(file)))
      throw refuse('a user began while the files were moved: run this again');
    if (existsSync(files.moved)) throw refuse(`${files.moved} is there already: move it away`);
    renameSync(files.place, files.moved);
  } finally {
    source.close();
  }
  await database.write('everyone', (sql) => writeState(sql, 'takeover', undefined));
  return { users: (await target.users()).length, copied, isInterrupted: false };
}

/**
 * Copies the memories of Postgres into new files, which take their place once all is in them; the database is left as it is.
 * @throws ContextloomError `conflict` where there are files already
 */
export async function migrateToFiles(options: MigrateOptions): Promise<MigrateReport> {
  const { database, files, toName, fingerprint, signal } = options;
  const { place, cipherKey } = files;
  if (existsSync(place)) throw refuse(`${place} is there already: move it away`);
  const source = toPostgresSide(database, fingerprint);
  const users = (await source.users()).length;
  if (users === 0) return NOTHING;
  const target = createNewFiles({ place, cipherKey, ...(toName !== undefined && { toName }) });
  const copied = await copyAll(source, target, options);
  if (!signal.aborted) target.finish();
  return { users, copied, isInterrupted: signal.aborted };
}
