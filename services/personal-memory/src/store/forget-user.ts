import { statSync, utimesSync } from 'node:fs';
import { type ErasedCount, type Forgotten, isContextloomError, type Unreached } from '@contextloom/contracts';
import {
  createTransactions,
  type Database,
  eraseFile,
  openDatabase,
  removeUnusedDatabase,
  type Transactions,
  withStorageErrors,
} from '@contextloom/sqlite';
import { listAllCopies } from './backups.ts';
import { migrations } from './schema.ts';
import { userTables } from './sql/count-user.ts';

/** These have no rowid. */
const withoutRowId: ReadonlySet<string> = new Set([
  'entity_aliases',
  'last_numbers',
  'import_claims',
  'sources',
  'ends',
  'receipts',
]);

/** Rows a step: other calls are answered between two. */
const STEP_ROWS = 200;

/** Counts what a database has of a user. */
export function countUser(database: Database, user: string): readonly ErasedCount[] {
  return withStorageErrors(() =>
    userTables.map(({ what, table }) => ({
      what,
      count:
        database.prepare<[string], number>(`SELECT count(*) FROM ${table} WHERE user_id = ?`).pluck().get(user) ?? 0,
    })),
  );
}

function* deleteUser(database: Database, user: string): Generator<void, readonly ErasedCount[]> {
  const counts = countUser(database, user);
  for (const { table } of userTables) {
    const isSmall = withoutRowId.has(table);
    const some = `rowid IN (SELECT rowid FROM ${table} WHERE user_id = ? LIMIT ${STEP_ROWS})`;
    const remove = database.prepare<[string]>(`DELETE FROM ${table} WHERE ${isSmall ? 'user_id = ?' : some}`);
    while (remove.run(user).changes > 0) yield;
  }
  return counts;
}

/** A database of users, open. */
export interface ForgettingFile {
  readonly database: Database;
  readonly transactions: Transactions;
  readonly cipherKey: string | undefined;
}

const nothingIn = (counts: readonly ErasedCount[]): boolean => counts.every(({ count }) => count === 0);

const addUp = (counts: readonly (readonly ErasedCount[])[], suffix = ''): readonly ErasedCount[] =>
  userTables.map(({ what }) => ({
    what: `${what}${suffix}`,
    count: counts.flat().reduce((sum, one) => (one.what === what ? sum + one.count : sum), 0),
  }));

/** Erases a user from a database: the rows, and then every page and log that had them. */
async function eraseUser({ database, transactions, cipherKey }: ForgettingFile, user: string): Promise<Forgotten> {
  const erased = await transactions.runInSlices(() => deleteUser(database, user));
  // Without rows too: an earlier call may have ended between the two.
  return { erased, unreached: await transactions.runBetween(() => eraseFile({ file: database.name, cipherKey })) };
}

/** Counts what a database in use has of a user, and erases it unless it is a dry run. */
export async function forgetInFile(opened: ForgettingFile, user: string, isDryRun: boolean): Promise<Forgotten> {
  if (isDryRun) return { erased: countUser(opened.database, user), unreached: [] };
  return eraseUser(opened, user);
}

/** Joins what was erased of a database and of its backups. */
export function joinForgotten(parts: readonly Forgotten[]): Forgotten {
  const erased = parts.flatMap((part) => part.erased).filter(({ count }) => count > 0);
  return { erased, unreached: parts.flatMap(({ unreached }) => unreached) };
}

async function eraseFromCopy(
  file: string,
  { user, cipherKey, isDryRun, known }: Omit<ForgetInBackupsOptions, 'folder'>,
): Promise<Forgotten> {
  const { atime, mtime } = statSync(file);
  const database = openDatabase({ file, migrations, cipherKey });
  try {
    const erased = countUser(database, user);
    // One that was made while the user was erased may have no row of theirs, and pages that had them.
    if (isDryRun || (nothingIn(erased) && known.has(file))) return { erased, unreached: [] };
    return await eraseUser({ database, transactions: createTransactions(database), cipherKey }, user);
  } finally {
    database.close();
    // Whether a new backup is due goes by the time of the last.
    utimesSync(file, atime, mtime);
  }
}

/** How a user is erased from backups. */
export interface ForgetInBackupsOptions {
  readonly folder: string;
  readonly user: string;
  readonly cipherKey: string | undefined;
  readonly isDryRun: boolean;
  /** The copies that were there before the user was erased from the database itself. */
  readonly known: ReadonlySet<string>;
}

/** Erases a user from the backups of a database, one after the other; a backup that cannot be read is named. */
export async function forgetInBackups(
  file: string,
  { folder, ...options }: ForgetInBackupsOptions,
): Promise<Forgotten> {
  const { cipherKey, isDryRun } = options;
  const counts: (readonly ErasedCount[])[] = [];
  const unreached: Unreached[] = [];
  const { copies, unfinished } = listAllCopies(file, folder);
  // One that another process is making now follows what is deleted meanwhile: it stays.
  if (!isDryRun) for (const one of unfinished) removeUnusedDatabase({ file: one, cipherKey });
  for (const copy of copies) {
    try {
      const erased = await eraseFromCopy(copy, options);
      counts.push(erased.erased);
      unreached.push(...erased.unreached);
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      unreached.push({ what: copy, why: `this backup cannot be read: ${error.message}; delete it yourself` });
    }
  }
  return { erased: addUp(counts, ' in backups').filter(({ count }) => count > 0), unreached };
}
