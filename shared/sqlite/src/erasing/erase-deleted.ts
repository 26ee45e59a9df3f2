import type BetterSqlite3 from 'better-sqlite3';
import { connect } from '../database/connect.ts';
import { withStorageErrors } from '../database/errors.ts';

/** Which file is rewritten. */
export interface EraseOptions {
  readonly file: string;
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
  /** How long to wait for other connections, in milliseconds. */
  readonly busyTimeoutMs?: number;
}

/**
 * What is left of deleted rows: `nothing`, or their pages in the `log` (the write-ahead log), which a connection of another
 * process went on reading.
 */
export type Erased = 'nothing' | 'log';

/** A reader holds the log for the length of one statement; a write of another process takes longer. */
const BUSY_TIMEOUT_MS = 10_000;

/** How often to try again to empty the log, in milliseconds. */
const RETRY_MS = 20;

/** Empties the write-ahead log. An online backup of another process keeps it for a moment, for which SQLite does not wait. */
function emptyLog(database: BetterSqlite3.Database, deadline: number): boolean {
  // Its answer is 1 while it cannot be done.
  while (database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 1) {
    if (performance.now() > deadline) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
  return true;
}

/**
 * Rewrites a database without what was deleted from it: free pages, the gaps inside of pages, and the write-ahead log. Other
 * connections may be open. Blocks this thread for as long as the file takes to be copied.
 *
 * `VACUUM` copies the rows to new pages, which `secure_delete` fills with zeros first; `secure_delete` alone leaves copies of
 * rows in the gaps of pages that were rearranged before. Source: https://sqlite.org/pragma.html#pragma_secure_delete
 * @throws ContextloomError `unavailable` or `no_space`
 */
export function eraseDeleted({ file, cipherKey, busyTimeoutMs = BUSY_TIMEOUT_MS }: EraseOptions): Erased {
  return withStorageErrors(() => {
    const database = connect(file, { fileMustExist: true, timeout: busyTimeoutMs, cipherKey });
    try {
      database.pragma('synchronous = FULL');
      database.pragma('fullfsync = ON');
      database.pragma('secure_delete = ON');
      // The copy that VACUUM makes first is not encrypted: it must not stand in a folder for temporary files.
      if (cipherKey !== undefined) database.pragma('temp_store = MEMORY');
      database.exec('VACUUM');
      return emptyLog(database, performance.now() + busyTimeoutMs) ? 'nothing' : 'log';
    } finally {
      database.close();
    }
  });
}
