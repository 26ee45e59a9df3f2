import { statSync } from 'node:fs';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { type Database, findDamage, sqliteCode } from '@contextloom/sqlite';
import { listCopies } from './backups.ts';

/** Up to this size a file is looked through at each start, which takes a tenth of a second; `--check` looks through any. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20;

const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** Stands for damage that a look through the pages found, as SQLite's own error would. */
class DamageError extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/** Closes and refuses a database that is damaged, unless it is too large to tell at a start. */
export function requireSound(database: Database): void {
  if (statSync(database.name).size > MAX_CHECKED_BYTES) return;
  const damage = findDamage(database);
  if (damage !== undefined) throw new DamageError(damage);
}

/** Where a file and its copies are. */
interface Place {
  readonly file: string;
  readonly backupFolder: string;
}

/** Says how to go on without a damaged file. */
export function toWayOut({ file, backupFolder }: Place): string {
  const newest = listCopies(file, backupFolder).at(-1);
  return newest === undefined
    ? `there is no backup of it in ${backupFolder}: move it away to begin with an empty memory`
    : `end every server that uses it and start one with --restore ${newest}, the newest backup`;
}

/** Turns the error of opening a file into one that tells of damage and the way out; any other stays as it is. */
export function toOpenError(error: unknown, place: Place): unknown {
  const code = sqliteCode(isContextloomError(error) ? error.cause : error) ?? '';
  if (![...DAMAGED].some((damaged) => code === damaged || code.startsWith(`${damaged}_`))) return error;
  return new ContextloomError('unavailable', `${place.file} is damaged; ${toWayOut(place)}`, { cause: error });
}
