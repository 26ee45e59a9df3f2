import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { type Database, openDatabase, readFingerprint } from '@contextloom/sqlite';
import type { PostgresDatabase } from '../postgres/database.ts';
import { writeState } from '../postgres/state.ts';
import { migrations } from '../schema.ts';
import { USERS, userTables } from '../sql/count-user.ts';
import type { Sql } from '../sql/sql.ts';
import { createSqliteSql } from '../sqlite-sql.ts';
import { type EntryTables, readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';

/** Where memories are read from. */
export interface Source {
  readonly users: () => Promise<readonly string[]>;
  /** One state of what there is of a user. */
  readonly read: (user: string) => Promise<Snapshot>;
}

/** Where memories go. */
export interface Target extends Source {
  /** Puts a snapshot in the place of what there is of a user, and answers what there is then; all or nothing. */
  readonly replace: (user: string, snapshot: Snapshot) => Promise<Snapshot>;
}

const postgresEntries: EntryTables = {
  read: {
    events:
      'SELECT t.number AS name, x.words, x.vector, x.norm, x.made_by FROM events t JOIN event_entries x ON x.row = t.id WHERE t.user_id = ?',
    user_profile:
      'SELECT t.key AS name, x.words, x.vector, x.norm, x.made_by FROM user_profile t JOIN profile_entries x ON x.row = t.id WHERE t.user_id = ?',
  },
  tableOf: { events: 'event_entries', user_profile: 'profile_entries' },
  columns: ['row', 'made_by', 'words', 'vector', 'norm'],
};

/** In a file one fingerprint stands for all entries. */
const toFileEntry = (table: string, key: string, index: string): string =>
  `SELECT t.${key} AS name, x.words, x.vector, x.norm,
     coalesce((SELECT value FROM ${index}_state WHERE name = 'fingerprint'), '') AS made_by
   FROM ${table} t JOIN ${index}_entries x ON x.row = t.id WHERE t.user_id = ?`;
const fileEntries: EntryTables = {
  read: {
    events: toFileEntry('events', 'number', 'event_index'),
    user_profile: toFileEntry('user_profile', 'key', 'profile_index'),
  },
  tableOf: { events: 'event_index_entries', user_profile: 'profile_index_entries' },
  columns: ['row', 'words', 'vector', 'norm'],
};

async function removeUser(sql: Sql, user: string): Promise<void> {
  for (const { table } of userTables) await sql.query(`DELETE FROM ${table} WHERE user_id = ?`, [user]);
}

/** Memories in a Postgres database; `fingerprint` names what derives the index of this program. */
export function toPostgresSide(database: PostgresDatabase, fingerprint: string): Target {
  return {
    users: () =>
      database.read('everyone', async ({ query }) =>
        (await query<{ user_id: string }>(USERS)).map(({ user_id }) => user_id),
      ),
    read: (user) => database.read({ user }, (sql) => readSnapshot(sql, user, postgresEntries)),
    replace: (user, snapshot) =>
      database.write({ user }, async (sql) => {
        await removeUser(sql, user);
        await writeSnapshot(sql, user, snapshot, postgresEntries);
        // What something else derived is derived again by the next start.
        const isOwn = Object.values(snapshot.entries)
          .flat()
          .every((entry) => entry['made_by'] === fingerprint);
        if (!isOwn) await writeState(sql, 'unfinished', fingerprint);
        return readSnapshot(sql, user, postgresEntries);
      }),
  };
}

/** Memories in files that are open; each may be changed by others, except between {@link FileSide.lock} and its end. */
export interface FileSide extends Source {
  /** Keeps others from changing the files until they are closed. */
  readonly lock: () => void;
  readonly close: () => void;
}

/** Opens files to read from. */
export function openFileSide(files: readonly string[], cipherKey: string | undefined): FileSide {
  const open = files.map((file) => openDatabase({ file, migrations, cipherKey }));
  const usersOf = (one: Database) => one.prepare<[], string>(USERS).pluck().all();
  let isLocked = false;
  return {
    users: async () => open.flatMap(usersOf),
    read: async (user) => {
      // Of one who was forgotten meanwhile, any file says that there is nothing.
      const one = open.find((some) => usersOf(some).includes(user)) ?? open[0];
      if (one === undefined) throw new ContextloomError('not_found', 'there are no files');
      if (!isLocked) one.exec('BEGIN');
      try {
        return await readSnapshot(createSqliteSql(one), user, fileEntries);
      } finally {
        if (!isLocked) one.exec('ROLLBACK');
      }
    },
    lock: () => {
      for (const one of open) one.exec('BEGIN IMMEDIATE');
      isLocked = true;
    },
    close: () => {
      for (const one of open) {
        if (isLocked) one.exec('ROLLBACK');
        one.close();
      }
    },
  };
}

/** Where files are made under another name until all is in them. */
export interface NewFiles {
  /** The file of all users, or the folder of a file for each. */
  readonly place: string;
  /** The name of a user's file in the folder; absent where all are in one. */
  readonly toName?: (user: string) => string;
  readonly cipherKey: string | undefined;
}

/** What files are called until they are whole. */
const toIncoming = (place: string): string => `${place}.incoming`;

/** One name stands for all entries of a file: where several made them, its first start derives them again. */
function writeFingerprint(file: Database, index: string, entries: Snapshot['entries']['events']): void {
  if (entries.length === 0) return;
  const made = new Set([...entries.map((one) => one['made_by']), readFingerprint(file, { name: index })]);
  made.delete(undefined);
  const [only = ''] = made;
  const value = made.size === 1 ? only : '';
  file.prepare(`INSERT OR REPLACE INTO ${index}_state VALUES ('fingerprint', ?)`).run(value);
}

/** New files to write to, and how they take their place. */
export function createNewFiles({ place, toName, cipherKey }: NewFiles): Target & { readonly finish: () => void } {
  const root = toIncoming(place);
  if (toName !== undefined) mkdirSync(root, { recursive: true, mode: 0o700 });
  const fileOf = (user: string): string => (toName === undefined ? root : join(root, toName(user)));
  const list = (): readonly string[] => {
    if (toName === undefined) return [root];
    return readdirSync(root)
      .filter((name) => name.endsWith('.db'))
      .map((name) => join(root, name));
  };
  const within = async <T>(path: string, work: (file: Database, sql: Sql) => Promise<T>): Promise<T> => {
    const file = openDatabase({ file: path, migrations, cipherKey });
    file.exec('BEGIN IMMEDIATE');
    try {
      const value = await work(file, createSqliteSql(file));
      file.exec('COMMIT');
      return value;
    } finally {
      if (file.inTransaction) file.exec('ROLLBACK');
      file.close();
    }
  };
  return {
    users: async () => {
      const users: string[] = [];
      for (const path of list()) {
        users.push(...(await within(path, async (file) => file.prepare<[], string>(USERS).pluck().all())));
      }
      return users;
    },
    read: (user) => within(fileOf(user), (_file, sql) => readSnapshot(sql, user, fileEntries)),
    replace: (user, snapshot) =>
      within(fileOf(user), async (file, sql) => {
        await removeUser(sql, user);
        await writeSnapshot(sql, user, snapshot, fileEntries);
        writeFingerprint(file, 'event_index', snapshot.entries.events);
        writeFingerprint(file, 'profile_index', snapshot.entries.user_profile);
        return readSnapshot(sql, user, fileEntries);
      }),
    finish: () => {
      if (existsSync(place)) throw new ContextloomError('conflict', `${place} is there by now: move it away`);
      // A log that a server of the moved file left would be read as part of the new one.
      if (toName === undefined) for (const end of ['-wal', '-shm']) rmSync(`${place}${end}`, { force: true });
      renameSync(root, place);
    },
  };
}
