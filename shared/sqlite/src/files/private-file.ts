import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { connect } from '../database/connect.ts';

/** Who may read and write a file of memories: its owner alone. */
const PRIVATE = 0o600;
const OWNER = 0o700;
/** The bits of everybody. */
const OTHERS = 0o007;
/** Only the owner can change rights, and not on every file system. */
const UNCHANGEABLE = ['EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'ENOSYS', 'ENOENT'];
/** A database and its logs. */
const SUFFIXES = ['', '-wal', '-shm'];

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** Makes an empty file that its owner alone can read; an existing one stays as it is. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE));
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a database without tables that its owner alone can read; one that another process makes first stays. It is
 * made next to its place, so that a process that is killed leaves no file of 0 bytes, which is refused later.
 * @throws ContextloomError `unavailable`
 */
export function makePrivateDatabase(file: string, cipherKey: string | undefined): void {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(`${file}.new-`);
    const made = join(folder, 'database');
    makePrivateFile(made);
    const database = connect(made, { cipherKey });
    try {
      database.pragma('journal_mode = WAL');
    } finally {
      database.close();
    }
    copyFileSync(made, file, constants.COPYFILE_EXCL);
    flush(file);
  } catch (cause) {
    if (hasCode(cause, ['EEXIST'])) return;
    const message = `${file} cannot be made: check its folder and the rights on it`;
    throw isContextloomError(cause) ? cause : new ContextloomError('unavailable', message, { cause });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a database and its logs readable by their owner alone, unless a group may read them: that was set on purpose.
 */
export function closeToOthers(file: string): void {
  for (const path of SUFFIXES.map((suffix) => `${file}${suffix}`)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, found.mode & OWNER);
    } catch (error) {
      if (!hasCode(error, UNCHANGEABLE)) throw error;
    }
  }
}
