import { rmSync } from 'node:fs';
import { connect } from '../database/connect.ts';
import { sqliteCode, withStorageErrors } from '../database/errors.ts';

/**
 * Takes a lock that one process at a time can have, and within it one caller: an open transaction on a file of its own, which
 * the operating system ends with the process, even a killed one. Returns the function that releases it; undefined while another
 * has it.
 * @throws ContextloomError `unavailable` when the file cannot be made
 */
export function tryFileLock(file: string): (() => void) | undefined {
  return withStorageErrors(() => {
    const lock = connect(file, { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) return undefined;
      throw error;
    }
    return () => {
      lock.close();
      rmSync(file, { force: true });
    };
  });
}
