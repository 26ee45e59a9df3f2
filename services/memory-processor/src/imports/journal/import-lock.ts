import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { openDatabase, sqliteCode } from '@contextloom/sqlite';

const BUSY = 'SQLITE_BUSY';

const isBusy = (error: unknown): boolean =>
  sqliteCode(error) === BUSY || (error instanceof Error && sqliteCode(error.cause) === BUSY);

/**
 * Keeps other processes off an import until it is released. The lock is one of SQLite, so the system takes it back when the process ends,
 * however it ends.
 * @returns releases it
 * @throws ContextloomError `conflict` while another process works on the import
 */
export function lockImport(dataDir: string, id: string): () => void {
  const file = join(dataDir, 'locks', `${id}.db`);
  const conflict = (cause: unknown): ContextloomError =>
    new ContextloomError('conflict', `import ${id} is under way in another process, which goes on with it`, { cause });
  let database: ReturnType<typeof openDatabase> | undefined;
  try {
    database = openDatabase({ file, migrations: [], busyTimeoutMs: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    throw isBusy(error) ? conflict(error) : error;
  }
  const held = database;
  return () => {
    held.exec('ROLLBACK');
    held.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  };
}
