import { ContextloomError, type ErrorCode, isContextloomError } from '@contextloom/contracts';

const DAMAGED = 'the store is damaged: stop the service, put back a copy of its file and start it again';
const NO_DATABASE =
  'the file of the store is not a database: stop the service, put back a copy of it and start it again';
const CANNOT_OPEN = 'the store cannot be opened: check its folder and the rights on it';
const EMPTY = 'is empty (0 bytes), which no store is: put back a copy of it, or delete it to begin without any data';

/** What the result codes of SQLite mean to a caller; each stands for its extended codes too (SQLITE_IOERR_WRITE, …). */
const meanings: readonly (readonly [prefix: string, code: ErrorCode, message: string])[] = [
  ['SQLITE_FULL', 'no_space', 'there is no space left to store this; nothing of it was stored'],
  ['SQLITE_BUSY', 'unavailable', 'the store is busy with another write; try again'],
  ['SQLITE_LOCKED', 'unavailable', 'the store is busy with another write; try again'],
  ['SQLITE_READONLY', 'unavailable', 'the store cannot be written: its file or folder is read-only'],
  ['SQLITE_CANTOPEN', 'unavailable', CANNOT_OPEN],
  ['SQLITE_PERM', 'unavailable', CANNOT_OPEN],
  ['SQLITE_IOERR', 'unavailable', 'the store cannot be read or written: check its disk'],
  ['SQLITE_CORRUPT', 'unavailable', DAMAGED],
  ['SQLITE_NOTADB', 'unavailable', NO_DATABASE],
  ['SQLITE_TOOBIG', 'too_large', 'the document is too large to store'],
];

/** The result code of an error that SQLite threw, such as `SQLITE_BUSY`; `undefined` for any other value. */
export function sqliteCode(error: unknown): string | undefined {
  // Not by class: the addon makes errors of the class that loaded it first, which another realm or thread does not know.
  if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'string')
    return undefined;
  return error.code.startsWith('SQLITE_') ? error.code : undefined;
}

/** The error of a call that comes after the closing. */
export function toClosedError(cause?: unknown): ContextloomError {
  return new ContextloomError('unavailable', 'the store is closed', { cause });
}

/** Whether better-sqlite3 refused a call because the connection was closed; it has no code for that. */
function isOfClosed(error: unknown): boolean {
  return (error as Error | undefined)?.message === 'The database connection is not open';
}

function toStorageError(error: unknown): unknown {
  if (isOfClosed(error)) return toClosedError(error);
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

/** The error of a file in which something was found that nobody wrote; `cause` tells what. */
export function toDamagedError(cause: unknown): ContextloomError {
  return new ContextloomError('unavailable', DAMAGED, { cause });
}

/** The error of a file that the file system does not let be reached; `cause` tells why. */
export function toCannotOpenError(cause: unknown): ContextloomError {
  return new ContextloomError('unavailable', CANNOT_OPEN, { cause });
}

/** The error of a file that has no bytes where a database should be. */
export function toEmptyFileError(file: string): ContextloomError {
  return new ContextloomError('unavailable', `${file} ${EMPTY}`);
}

/** Whether an error says that the file is damaged. By its words: messages between threads keep no more of its cause. */
export function isDamagedError(error: unknown): error is ContextloomError {
  if (!isContextloomError(error)) return false;
  return error.message === DAMAGED || error.message === NO_DATABASE || isEmptyFileError(error);
}

/** Whether an error is one of {@link toEmptyFileError}. */
export function isEmptyFileError(error: unknown): boolean {
  return isContextloomError(error) && error.message.endsWith(EMPTY);
}

/**
 * Parses JSON that the program itself has stored, as a value of the type that it stores there.
 * @throws ContextloomError `unavailable` when the file is damaged, which SQLite does not notice inside of a value
 */
export function parseStoredJson<Value>(text: string): Value {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw toDamagedError(cause);
  }
}
