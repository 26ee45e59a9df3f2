import { statSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import { type Database, findDamage, isEmptyFileError } from '@contextloom/sqlite';
import { listCopies } from './backups.ts';

/** Files up to this size are checked at each start, in a tenth of a second; `--check` has no such limit. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20;

/** Checks a file for damage, unless it is too large for a start. */
export function findDamageAtStart(database: Database): string | undefined {
  return statSync(database.name).size > MAX_CHECKED_BYTES ? undefined : findDamage(database);
}

/** Where a file and its copies are. */
interface Place {
  readonly file: string;
  readonly backupFolder: string;
}

/** Says what to do about a damaged file. */
export function toWayOut({ file, backupFolder }: Place): string {
  const newest = listCopies(file, backupFolder).at(-1);
  return newest === undefined
    ? `there is no backup of it in ${backupFolder}: move it away to begin with an empty memory`
    : `end every server that uses it and start one with --restore ${newest}, the newest backup`;
}

/** The error of a file that cannot be read, with what to do. An encrypted file without its key looks damaged. */
export function toDamagedFileError(cause: unknown, place: Place): ContextloomError {
  const problem = isEmptyFileError(cause)
    ? 'is empty (0 bytes)'
    : 'is damaged, or encrypted with a key that DB_ENCRYPTION_KEY does not have';
  return new ContextloomError('unavailable', `${place.file} ${problem}; ${toWayOut(place)}`, { cause });
}
