import { ContextloomError, type ErrorCode } from '@contextloom/contracts';

/** What the result codes of SQLite mean to a caller; each stands for its extended codes too (SQLITE_IOERR_WRITE, …). */
const meanings: readonly (readonly [prefix: string, code: ErrorCode, message: string])[] = [
  ['SQLITE_FULL', 'no_space', 'there is no space left to store this; nothing of it was stored'],
  ['SQLITE_BUSY', 'unavailable', 'the store is busy with another write; try again'],
  ['SQLITE_LOCKED', 'unavailable', 'the store is busy with another write; try again'],
  ['SQLITE_READONLY', 'unavailable', 'the store cannot be written: its file or folder is read-only'],
  ['SQLITE_CANTOPEN', 'unavailable', 'the store cannot be opened: check its folder and the rights on it'],
  ['SQLITE_PERM', 'unavailable', 'the store cannot be opened: check its folder and the rights on it'],
  ['SQLITE_IOERR', 'unavailable', 'the store cannot be read or written: check its disk'],
  ['SQLITE_CORRUPT', 'unavailable', 'the store is damaged: put back a copy of its file'],
  ['SQLITE_NOTADB', 'unavailable', 'the file of the store is not a database: put back a copy of it'],
  ['SQLITE_TOOBIG', 'too_large', 'the document is too large to store'],
];

/** The result code of an error that SQLite threw, such as `SQLITE_BUSY`; `undefined` for any other value. */
export function sqliteCode(error: unknown): string | undefined {
  // Not by class: the addon makes errors of the class that loaded it first, which another realm or thread does not know.
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string')
    return undefined;
  return error.code.startsWith('SQLITE_') ? error.code : undefined;
}

function toStorageError(error: unknown): unknown {
  const code = sqliteCode(error);
  const meaning = meanings.find(([prefix]) => code === prefix || code?.startsWith(`${prefix}_`));
  return meaning === undefined ? error : new ContextloomError(meaning[1], meaning[2], { cause: error });
}

/** Runs `work` and rethrows SQLite's errors as ContextloomError, with the original as `cause`. */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error);
  }
}
