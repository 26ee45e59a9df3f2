import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { openDatabase } from '@contextloom/sqlite';

/** How long the lock is waited for, in milliseconds; the process stands still meanwhile. */
const WAIT_MS = 20;

/** What SQLite says, behind the product's own error or alone. */
function isBusy(error: unknown): boolean {
  const thrown = isContextloomError(error) ? error.cause : error;
  return String(Object(thrown).code).startsWith('SQLITE_BUSY');
}

/**
 * Takes a folder for this process, until it is released or the process ends, however it ends: the operating system frees the
 * lock of an open SQLite transaction. Two PGlite processes in one folder would destroy it.
 * @returns undefined while another process has it
 * @throws ContextloomError `unavailable` when the folder cannot be used
 */
export function lockFolder(folder: string): (() => void) | undefined {
  try {
    const database = openDatabase({ file: join(folder, 'lock.sqlite'), migrations: [], busyTimeoutMs: WAIT_MS });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    return () => database.close();
  } catch (cause) {
    if (isBusy(cause)) return undefined;
    throw new ContextloomError('unavailable', `${folder} cannot be used as PROJECT_MEMORY_DATA_DIR`, {
      field: 'PROJECT_MEMORY_DATA_DIR',
      cause,
    });
  }
}
