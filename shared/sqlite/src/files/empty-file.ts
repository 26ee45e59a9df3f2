import { statSync } from 'node:fs';
import { toCannotOpenError, toEmptyFileError } from '../database/errors.ts';

const POLL_MS = 5;

/**
 * The size of a file in bytes; undefined for a missing file.
 * @throws ContextloomError `unavailable` when its folder is a file, or is closed to this program
 */
export function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch (cause) {
    throw toCannotOpenError(cause);
  }
}

/**
 * Refuses a database file of no bytes, which SQLite would take for a new one: it is what a full disk or a failed copy leaves
 * of a store, and its log would be deleted. Another process that is making the file needs a moment until it has a page.
 * @throws ContextloomError `unavailable`, naming the file
 */
export function refuseEmptyFile(file: string, waitMs: number): void {
  const deadline = performance.now() + waitMs;
  while (sizeOf(file) === 0) {
    if (performance.now() > deadline) throw toEmptyFileError(file);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}
