import { statSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import type { Database } from '../database/open-database.ts';

/** The device and the inode of a file; undefined for a missing file. */
function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Builds the check that the file of an open database and its write-ahead log are still the ones that were opened. After they are
 * deleted or replaced, writes go to files without a name and are lost with the process.
 * @throws ContextloomError `unavailable` from the check
 */
export function createFileCheck(database: Database): () => void {
  const opened = [database.name, `${database.name}-wal`]
    .map((file) => ({ file, identity: identify(file) }))
    .filter(({ identity }) => identity !== undefined); // The log is not there before the first use.
  return () => {
    if (opened.every(({ file, identity }) => identity === identify(file))) return;
    throw new ContextloomError(
      'unavailable',
      'the file of the store was moved, deleted or replaced while it was open; nothing was acknowledged since: stop the service, put the folder back or choose a new one, and start it again',
    );
  };
}
