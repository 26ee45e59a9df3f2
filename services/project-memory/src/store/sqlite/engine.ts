import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError, type Forgotten } from '@contextloom/contracts';
import {
  createErasing,
  eraseFile,
  findDamage,
  isDamagedError,
  isEmptyFileError,
  parseStoredJson,
} from '@contextloom/sqlite';
import type { Finders, StoreEngine } from '../database.ts';
import { countRows, deleteRows } from '../forget-owner.ts';
import { mustRebuild, type PrepareOptions, type VectorSpace } from '../space.ts';
import { findNearest, readSimilar } from './nearest-memories.ts';
import { findByVector, findByWords } from './search-fragments.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';

/** The file of a folder. */
export const toFile = (folder: string): string => join(folder, 'project-memory.db');

/** Files up to this size are looked through for damage at each start, in a tenth of a second. */
const MAX_CHECKED_BYTES = 64 * 2 ** 20;

function toDamagedFileError(file: string, cause: unknown): ContextloomError {
  const message = `${file} is damaged: end every server that uses it and put back a copy of the folder, or move it away to begin with an empty memory`;
  return new ContextloomError('unavailable', message, { field: 'PROJECT_MEMORY_DATA_DIR', cause });
}

/**
 * Opens the database of a folder, which is made when missing.
 * @throws ContextloomError `unavailable` or `no_space`; for a damaged file it says what to do
 */
export function openSound(folder: string): SqliteDatabase {
  const file = toFile(folder);
  try {
    const database = openSqliteDatabase(file);
    const damage = statSync(file).size > MAX_CHECKED_BYTES ? undefined : findDamage(database.connection);
    if (damage === undefined) return database;
    void database.close();
    throw toDamagedFileError(file, damage);
  } catch (error) {
    throw isDamagedError(error) && !isEmptyFileError(error) ? toDamagedFileError(file, error) : error;
  }
}

const READ_SPACE = "SELECT value FROM project_memory_state WHERE name = 'space'";
const FORGET_VECTORS = `
  UPDATE fragments SET embedding = NULL;
  UPDATE version_fragments SET embedding = NULL;
  UPDATE memories SET avg_embedding = NULL, embedding_done = content = '';
  UPDATE memory_versions SET avg_embedding = NULL;`;

/** Notes whose vectors a database has, and forgets those of another space where that is requested. */
async function prepare({ connection, transactions, restrict }: SqliteDatabase, options: PrepareOptions) {
  const readSpace = connection.prepare<[], string>(READ_SPACE).pluck();
  const own = JSON.stringify(options.space);
  await transactions.run(() => {
    const stored = readSpace.get();
    if (stored === own) return;
    if (stored !== undefined && mustRebuild(parseStoredJson<VectorSpace>(stored), options)) {
      connection.exec(FORGET_VECTORS);
    }
    connection.prepare("INSERT OR REPLACE INTO project_memory_state VALUES ('space', ?)").run(own);
  });
  const check = (): void => {
    if (readSpace.get() === own) return;
    const message = 'another server made the vectors again with another embedder: start this one with its settings';
    throw new ContextloomError('conflict', message, { field: 'EMBEDDING_PROVIDER' });
  };
  restrict({ dimensions: options.space.dimensions, check });
  return check;
}

function createFinders(database: SqliteDatabase): Finders {
  return {
    findByVector: (selection, query, limit) => findByVector(database.until(selection.signal), selection, query, limit),
    findByWords: (selection, tokens, limit) => findByWords(database.until(selection.signal), selection, tokens, limit),
    findNearest: (sql, change, projectId) => findNearest(database, sql, change, projectId),
    similar: (reach, ids, least, limit) => readSimilar(database.until(reach.signal), reach, ids, least, limit),
  };
}

/** Erases an owner: the rows, and then every page and log that had them. */
async function forgetOwner(database: SqliteDatabase, ownerId: string, isDryRun: boolean): Promise<Forgotten> {
  if (isDryRun) return { erased: await countRows(database, ownerId), unreached: [] };
  const erased = await database.transaction(async (sql) => {
    const counts = await countRows(sql, ownerId);
    await deleteRows(sql, ownerId);
    return counts;
  });
  const file = database.connection.name;
  // Without rows too: an earlier call may have ended between the two.
  return { erased, unreached: await database.transactions.runBetween(() => eraseFile({ file })) };
}

/** Keeps memories in an SQLite file of a folder. */
export function createSqliteEngine(database: SqliteDatabase): StoreEngine {
  return {
    database,
    place: `opens: ${database.connection.name}`,
    prepare: async (options) => {
      const check = await prepare(database, options);
      const finders = createFinders(database);
      return {
        ...finders,
        findByVector: async (selection, query, limit) => {
          check();
          return finders.findByVector(selection, query, limit);
        },
      };
    },
    forget: (ownerId, isDryRun) => forgetOwner(database, ownerId, isDryRun),
    erasing: createErasing({ database: database.connection, transactions: database.transactions }),
  };
}
