import type { ErasedCount, Forgotten } from '@contextloom/contracts';
import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import {
  createErasing,
  type IndexedDatabase,
  isDamagedError,
  openIndexedDatabase,
  openReadOnly,
  withStorageErrors,
} from '@contextloom/sqlite';
import type { BackUpPlan, Searchable, UserMemory } from '../domain/store.ts';
import { backUpFile } from './backups.ts';
import { findDamageAtStart, toDamagedFileError } from './damage.ts';
import { countUser, forgetInFile } from './forget-user.ts';
import { refuseReferenceDatabase } from './reference-database.ts';
import { migrations, toEventIndex, toProfileIndex } from './schema.ts';
import { createSearchIndex } from './search-index.ts';
import { toListed, USERS } from './sql/count-user.ts';
import { ENDED_USERS } from './sql/end-table.ts';
import { createEventTable } from './sql/event-table.ts';
import { createProfileTable } from './sql/profile-table.ts';
import type { Sql } from './sql/sql.ts';
import { createUserMemory, type MemoryDatabase } from './sql/user-memory.ts';
import { createSqliteSql } from './sqlite-sql.ts';

/** How a memory file is opened. */
export interface MemoryFileOptions {
  readonly file: string;
  readonly toSearchable: (text: string) => Promise<Searchable>;
  readonly dimensions: number;
  /** Names the embedder. */
  readonly fingerprint: string;
  /** What relevance means with it; words alone count when absent. */
  readonly scale?: RelevanceScale | undefined;
  /** The folder of its backups, for the error of a damaged file. */
  readonly backupFolder: string;
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
  readonly threads?: number;
  readonly cacheBytes?: number;
}

/** One database with the memories of one user or many. */
export interface MemoryFile {
  of(userId: string): UserMemory;
  users(): readonly string[];
  endedUsers(now: number): readonly string[];
  /** When the next end comes, or came, in epoch milliseconds; infinite where nothing has one. */
  nextEnd(): number;
  /** Makes the vectors of texts that were stored while the embedder was out of reach; answers how many. */
  embedWaiting(): Promise<number>;
  /** How many texts wait for that. */
  countWaiting(): number;
  /** Copies it into a folder under its name and the time, if that is due. */
  backUp(options: BackUpPlan): Promise<string | undefined>;
  /** Counts what it has of a user. */
  count(userId: string): readonly ErasedCount[];
  /** Counts what it has of a user, and erases it unless it is a dry run; backups are not looked at. */
  forget(userId: string, isDryRun: boolean): Promise<Forgotten>;
  /** Erases the bytes of what was deleted for good; answers whether there was any. */
  eraseDeleted(): Promise<boolean>;
  close(): Promise<void>;
}

/** The statements of an open file: one connection writes, another reads what is committed. */
interface Statements {
  readonly indexed: IndexedDatabase;
  readonly reading: Sql;
  readonly writing: Sql;
}

function createIndexes(
  { indexed, reading, writing }: Statements,
  { toSearchable, dimensions, fingerprint, scale }: MemoryFileOptions,
) {
  const common = { indexed, reading, writing, toSearchable };
  return {
    events: createSearchIndex({
      ...common,
      scale,
      definition: toEventIndex(dimensions, fingerprint),
      from: { table: 'events e', row: 'e.id' },
      textsOf: (sql, rows) => createEventTable(sql).textsOf(rows),
    }),
    profile: createSearchIndex({
      ...common,
      definition: toProfileIndex(dimensions, fingerprint),
      from: { table: 'user_profile', row: 'id' },
      textsOf: (sql, rows) => createProfileTable(sql).textsOf(rows),
    }),
  };
}

function openSound({ file, backupFolder, cipherKey, threads, cacheBytes }: MemoryFileOptions): IndexedDatabase {
  const sizes = { ...(threads !== undefined && { threads }), ...(cacheBytes !== undefined && { cacheBytes }) };
  const place = { file, backupFolder };
  refuseReferenceDatabase(file, cipherKey);
  try {
    const indexed = openIndexedDatabase({ file, migrations, cipherKey, ...sizes });
    const damage = findDamageAtStart(indexed.database);
    if (damage === undefined) return indexed;
    indexed.database.close();
    throw toDamagedFileError(damage, place);
  } catch (error) {
    throw isDamagedError(error) ? toDamagedFileError(error, place) : error;
  }
}

/**
 * Opens a memory file; creates a missing one.
 * @throws ContextloomError `unavailable` or `no_space`; for a damaged file it names the newest backup
 */
export function openMemoryFile(options: MemoryFileOptions): MemoryFile {
  const { file } = options;
  const indexed = openSound(options);
  const { database, transactions } = indexed;
  const committed = openReadOnly(file, { cipherKey: options.cipherKey });
  const reading = createSqliteSql(committed);
  const writing = createSqliteSql(database);
  const indexes = createIndexes({ indexed, reading, writing }, options);
  const erasing = createErasing({ ...indexed, cipherKey: options.cipherKey });
  const memories: MemoryDatabase = {
    dialect: reading.dialect,
    read: (_user, work) => work(reading),
    write: (_user, work) => transactions.run(() => work(writing)),
    noteDeleted: erasing.note,
    ...indexes,
  };
  const users = database.prepare<[], string>(USERS).pluck();
  const endedUsers = database.prepare<[number], string>(ENDED_USERS).pluck();
  const nextEnd = database.prepare<[], number | null>('SELECT min(ends_at) FROM ends').pluck();
  return {
    of: (userId) => createUserMemory(userId, memories),
    users: () => withStorageErrors(() => users.all()),
    endedUsers: (now) => withStorageErrors(() => endedUsers.all(now)),
    nextEnd: () => withStorageErrors(() => nextEnd.get() ?? Number.POSITIVE_INFINITY),
    embedWaiting: async () => (await indexes.events.embedWaiting()) + (await indexes.profile.embedWaiting()),
    countWaiting: () => indexes.events.countWaiting() + indexes.profile.countWaiting(),
    backUp: (options) => backUpFile(database, file, options),
    count: (userId) => toListed(countUser(database, userId)),
    forget: (userId, isDryRun) => forgetInFile({ ...indexed, cipherKey: options.cipherKey }, userId, isDryRun),
    eraseDeleted: erasing.eraseNoted,
    close: async () => {
      await transactions.close();
      withStorageErrors(() => committed.close());
      await indexed.close();
    },
  };
}
