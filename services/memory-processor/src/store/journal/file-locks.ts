import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { openDatabase, sqliteCode } from '@contextloom/sqlite';
import type { ImportLocks } from '../../domain/imports/journal.ts';

const BUSY = 'SQLITE_BUSY';

const isBusy = (error: unknown): boolean =>
  sqliteCode(error) === BUSY || (error instanceof Error && sqliteCode(error.cause) === BUSY);

/** The refusal of an import that another process works on. */
export const toUnderWay = (id: string, cause?: unknown): ContextloomError =>
  new ContextloomError('conflict', `import ${id} is under way in another process, which goes on with it`, { cause });

/**
 * Keeps other processes off an import until it is released. The lock is one of SQLite, so the system takes it back when the process ends,
 * however it ends.
 * @returns releases it
 * @throws ContextloomError `conflict` while another process works on the import
 */
function lockImport(dataDir: string, id: string): () => void {
  const file = join(dataDir, 'locks', `${id}.db`);
  let database: ReturnType<typeof openDatabase> | undefined;
  try {
    database = openDatabase({ file, migrations: [], busyTimeoutMs: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    throw isBusy(error) ? toUnderWay(id, error) : error;
  }
  const held = database;
  return () => {
    held.exec('ROLLBACK');
    held.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  };
}

/** Leaves imports to one process of this machine at a time; what another one works on cannot be asked to end. */
export const createFileLocks = (dataDir: string): ImportLocks => ({
  take: async (id) => {
    const release = lockImport(dataDir, id);
    return async () => release();
  },
  look: async (id) => {
    try {
      lockImport(dataDir, id)();
      return undefined;
    } catch (error) {
      if (isContextloomError(error) && error.code === 'conflict') return {};
      throw error;
    }
  },
  stop: async () => undefined,
});
