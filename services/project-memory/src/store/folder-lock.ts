import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { openDatabase } from '@contextloom/sqlite';

/** How long a server that is about to end is waited for, in milliseconds. */
const WAIT_MS = 1_000;

const PLACE = { field: 'PROJECT_MEMORY_DATA_DIR' };

/** What SQLite says, behind the product's own error or alone. */
function isBusy(error: unknown): boolean {
  const thrown = isContextloomError(error) ? error.cause : error;
  return String(Object(thrown).code).startsWith('SQLITE_BUSY');
}

/**
 * Takes a folder for this process, until it is released or the process ends, however it ends: the operating system frees the
 * lock of an open SQLite transaction. Two PGlite processes in one folder would destroy it.
 * @throws ContextloomError `conflict` when another process has it, `unavailable` when it cannot be used
 */
export function lockFolder(folder: string): () => void {
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
    if (isBusy(cause)) {
      const message = `another process uses ${folder}: let all clients use one server (--http), or set DATABASE_URL`;
      throw new ContextloomError('conflict', message, { ...PLACE, cause });
    }
    throw new ContextloomError('unavailable', `${folder} cannot be used as PROJECT_MEMORY_DATA_DIR`, {
      ...PLACE,
      cause,
    });
  }
}
