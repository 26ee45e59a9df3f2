import { existsSync, readdirSync } from 'node:fs';
import { chmod, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError, isContextloomError, loadOptional } from '@contextloom/contracts';
import { openDatabase, sqliteCode } from '@contextloom/sqlite';
import type { StoreEngine } from '../database.ts';
import { createSqliteEngine, openSound } from './engine.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** What is reported about a folder. */
export interface FolderLog {
  readonly info: (details: object, message: string) => void;
  readonly warn: (details: object, message: string) => void;
}

/** Where versions before this one kept their tables, in files of PGlite. */
const OLD = 'postgres';
/** What those are called once all of it is in SQLite. */
const KEPT = 'postgres-before-sqlite';
/** What those versions lock while they use the folder. */
const LOCK = 'lock.sqlite';

/** How often, and after how many milliseconds each time, the lock is requested. */
const LOOKS = 600;
const PAUSE_MS = 100;

/** Only those who have a folder of an earlier version need it, and only once. */
const part = {
  needs: 'taking over the project memory of an earlier version needs',
  packages: ['@electric-sql/pglite@0.5.14', '@electric-sql/pglite-pgvector@0.0.15'],
};

const refuse = (code: 'conflict' | 'unavailable', message: string): ContextloomError =>
  new ContextloomError(code, message, { field: 'PROJECT_MEMORY_DATA_DIR' });

function tryLock(folder: string): () => void {
  const lock = openDatabase({ file: join(folder, LOCK), migrations: [], busyTimeoutMs: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}

const isBusy = (error: unknown): boolean =>
  sqliteCode(isContextloomError(error) ? error.cause : error)?.startsWith('SQLITE_BUSY') === true;

/** Takes the lock that servers of earlier versions hold; one that takes the folder over holds it too. */
async function lockFolder(folder: string): Promise<() => void> {
  for (let look = 0; ; look += 1) {
    try {
      return tryLock(folder);
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (look === LOOKS) {
        throw refuse(
          'conflict',
          `${folder} is in use by a server of an earlier version, or still being taken over: end such a server, and try again`,
        );
      }
    }
    await sleep(PAUSE_MS);
  }
}

/** Moves what an earlier version stored into the database, in one transaction; the files are kept under another name. */
async function takeOver(folder: string, database: SqliteDatabase, log: FolderLog): Promise<void> {
  const [old, kept] = [join(folder, OLD), join(folder, KEPT)];
  const entries = readdirSync(old);
  if (entries.length === 0) return rmdir(old);
  if (!entries.includes('PG_VERSION')) {
    throw refuse('unavailable', `${old} has files but no PG_VERSION, and is no whole database: put back a copy of it`);
  }
  const isTaken = async () =>
    (await database.query("select 1 from project_memory_state where name = 'taken_over'")).length > 0;
  if (!(await isTaken())) {
    if ((await database.query('select 1 from projects limit 1')).length > 0) {
      log.warn({ folder: old }, 'memories of an earlier version stay where they are, since there are others by now');
      return;
    }
    log.info({ folder: old }, 'takes over the memories of an earlier version, once');
    const { copyMemories } = await loadOptional(part, () => import('../takeover/copy-memories.ts'));
    await copyMemories(old, database);
  }
  if (existsSync(kept))
    throw refuse('conflict', `${old} cannot be renamed, since ${kept} is there already: move it away`);
  await rename(old, kept);
  await chmod(kept, 0o700);
  log.info({ kept }, 'took over the memories of an earlier version; its files are kept, and nothing needs them');
}

async function takeOverAlone(folder: string, database: SqliteDatabase, log: FolderLog): Promise<void> {
  const release = await lockFolder(folder);
  try {
    // Another process may have done it meanwhile.
    if (existsSync(join(folder, OLD))) await takeOver(folder, database, log);
  } finally {
    release();
  }
}

/**
 * Opens the database of a folder. What an earlier version stored there is taken over first.
 * @throws ContextloomError `unavailable`, `no_space`, or `conflict` while a server of an earlier version uses the folder
 */
export async function openFolder(folder: string, log: FolderLog): Promise<StoreEngine> {
  const database = openSound(folder);
  const kept = join(folder, KEPT);
  const before = { what: 'folders that an earlier version left', count: 1 };
  try {
    if (existsSync(join(folder, OLD))) await takeOverAlone(folder, database, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  const engine = createSqliteEngine(database);
  return {
    ...engine,
    forget: async (ownerId, isDryRun) => {
      const receipt = await engine.forget(ownerId, isDryRun);
      if (!existsSync(kept)) return receipt;
      // It has what all owners had stored, all of which was taken over.
      if (!isDryRun) await rm(kept, { recursive: true, force: true });
      return { ...receipt, erased: [...receipt.erased, before] };
    },
  };
}
