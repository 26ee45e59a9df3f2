import { existsSync, renameSync, rmSync } from 'node:fs';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type BetterSqlite3 from 'better-sqlite3';
import { sizeOf } from '../files/empty-file.ts';
import { makePrivateFile } from '../files/private-file.ts';
import { connect, isCiphered } from './connect.ts';
import { sqliteCode, withStorageErrors } from './errors.ts';
import type { Database } from './open-database.ts';

/**
 * Copies a database that is in use to a file, in a state between two transactions. The file appears when it is whole, and
 * its owner alone can read it.
 * @throws ContextloomError `no_space` or `unavailable`
 */
export async function backUpDatabase(database: Database, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    makePrivateFile(unfinished);
    // The online backup writes plain files only; this writes one with the same key.
    if (isCiphered(database)) database.prepare<[string]>('VACUUM INTO ?').run(unfinished);
    else await database.backup(unfinished);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    withStorageErrors(() => {
      throw error;
    });
  }
}

/**
 * Looks through the pages of a database for damage.
 * @returns what is wrong, in SQLite's words, or undefined
 */
export function findDamage(database: Database): string | undefined {
  try {
    const found = database.pragma('quick_check(1)', { simple: true });
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Which database to restore, and from which copy. */
export interface RestoreOptions {
  readonly file: string;
  /** The copy that takes its place. */
  readonly from: string;
  /** The new name of the old file. */
  readonly kept: string;
  /** The key of an encrypted file, which is that of its copies. */
  readonly cipherKey?: string | undefined;
  /** Tables that the copy must have: they tell it apart from the database of another program. */
  readonly tables?: readonly string[];
}

/** File names that are no database, though SQLite may read an empty one from them. */
const LOG_NAME = /-(?:wal|shm|journal)$/;

function refuseCopy(from: string, problem: string, cause?: unknown): ContextloomError {
  return new ContextloomError('invalid', `${from} ${problem}; nothing was changed`, { cause });
}

function readCopy({ from, cipherKey, tables = [] }: RestoreOptions): BetterSqlite3.Database {
  if (LOG_NAME.test(from)) {
    throw refuseCopy(from, `is the log of a database and no backup: name ${from.replace(LOG_NAME, '')}`);
  }
  if (sizeOf(from) === 0) throw refuseCopy(from, 'is empty (0 bytes) and no backup');
  const copy = withStorageErrors(() => connect(from, { readonly: true, fileMustExist: true, cipherKey }));
  try {
    const damage = findDamage(copy);
    if (damage !== undefined) throw refuseCopy(from, 'is damaged, or no database', damage);
    const there = new Set(copy.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
    const missing = tables.find((table) => !there.has(table));
    if (missing !== undefined || there.size === 0) {
      throw refuseCopy(
        from,
        `has ${missing === undefined ? 'no tables' : `no table ${missing}`}: it is no backup of this`,
      );
    }
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}

/** Refuses a database that a process has open: it would go on writing to the old file. */
function requireUnused({ file, cipherKey }: Pick<RestoreOptions, 'file' | 'cipherKey'>): void {
  const database = connect(file, { timeout: 0, cipherKey });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_BUSY')) return; // Damaged: the reason to replace it.
    throw new ContextloomError('conflict', `${file} is in use: end the servers that have it open, and try again`);
  } finally {
    database.close();
  }
}

/**
 * Puts a copy in the place of a database that no process has open; the old file is kept next to it.
 * @throws ContextloomError `invalid` for a copy that is damaged, `conflict` when the database is in use
 */
export async function restoreDatabase(options: RestoreOptions): Promise<void> {
  const { file, kept } = options;
  const copy = readCopy(options);
  try {
    if (existsSync(file)) requireUnused(options);
    if (existsSync(kept)) throw new ContextloomError('conflict', `${kept} is there already; try again`);
    await backUpDatabase(copy, `${file}.restored`);
  } finally {
    copy.close();
  }
  // The log of the old file moves with it: it would damage the new one.
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${kept}${suffix}`);
  }
  renameSync(`${file}.restored`, file);
}

/**
 * Deletes a database with its logs, unless a process has it open.
 * @returns whether the file is gone
 */
export function removeUnusedDatabase(options: Pick<RestoreOptions, 'file' | 'cipherKey'>): boolean {
  const { file } = options;
  if (!existsSync(file)) return true;
  try {
    requireUnused(options);
  } catch (error) {
    if (isContextloomError(error) && error.code === 'conflict') return false;
    throw error;
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return true;
}
