import { dirname } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import type BetterSqlite3 from 'better-sqlite3';
import { refuseEmptyFile, sizeOf } from '../files/empty-file.ts';
import { makeFolders } from '../files/make-folders.ts';
import { closeToOthers, makePrivateDatabase } from '../files/private-file.ts';
import { connect } from './connect.ts';
import { sqliteCode, withStorageErrors } from './errors.ts';
import { type Migration, migrate } from './migrate.ts';

/** An open database. */
export type Database = BetterSqlite3.Database;

/** Which database to open. */
export interface OpenDatabaseOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  /** How long a write waits for another process's, in milliseconds. */
  readonly busyTimeoutMs?: number;
  /** The key of an encrypted file; it needs a package of its own. */
  readonly cipherKey?: string | undefined;
}

function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (cause) {
    throw new ContextloomError('unavailable', `the folder ${folder} cannot be made`, { cause });
  }
}

/** Turns the write-ahead log on. A change of journal mode does not wait for other processes as other statements do, so the waiting is done here. */
function useWriteAheadLog(database: Database, deadline: number): void {
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Makes a missing file, readable by its owner alone: SQLite gives its logs the same rights. */
function prepareFile(file: string, cipherKey: string | undefined, busyTimeoutMs: number): void {
  if (sizeOf(file) === undefined) makePrivateDatabase(file, cipherKey);
  refuseEmptyFile(file, busyTimeoutMs);
  closeToOthers(file);
}

/**
 * Opens a database file, made when missing, with its schema up to date. A transaction that has returned
 * survives the loss of power (`synchronous = FULL`).
 * @throws ContextloomError `unavailable` or `no_space`; `unavailable` also for a schema of a newer program and an empty file
 */
export function openDatabase({ file, migrations, busyTimeoutMs = 5_000, cipherKey }: OpenDatabaseOptions): Database {
  makeFolder(dirname(file));
  return withStorageErrors(() => {
    prepareFile(file, cipherKey, busyTimeoutMs);
    const database = connect(file, { timeout: busyTimeoutMs, cipherKey });
    try {
      useWriteAheadLog(database, performance.now() + busyTimeoutMs);
      database.pragma('synchronous = FULL');
      // Without it macOS answers a flush before the disk has the data; elsewhere it does nothing.
      database.pragma('fullfsync = ON');
      database.pragma('foreign_keys = ON');
      migrate(database, migrations);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * Opens one more connection to a database that is open already, for reading and temporary tables alone.
 * @throws ContextloomError `unavailable`
 */
export function openReadOnly(
  file: string,
  { busyTimeoutMs = 5_000, cipherKey }: Pick<OpenDatabaseOptions, 'busyTimeoutMs' | 'cipherKey'> = {},
): Database {
  return withStorageErrors(() =>
    connect(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs, cipherKey }),
  );
}
