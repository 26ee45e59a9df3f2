import type { Category, ChangeKind } from '@contextloom/contracts/personal-memory';
import { createPrepare, type Database, parseStoredJson, type SqlPart } from '@contextloom/sqlite';
import type { ProfileEntry, ProfileVersion } from '../domain/model.ts';
import type { Page, ProfileFilter } from '../domain/store.ts';
import { joinConditions, toChangeConditions } from './change-filter.ts';
import { createNextNumber } from './schema.ts';

interface ProfileRow {
  readonly id: number;
  readonly key: string;
  readonly value: string;
  readonly category: Category | null;
  readonly tags: string;
  readonly confidence: number;
  readonly updated_at: number;
}

interface VersionRow extends Omit<ProfileRow, 'id' | 'updated_at'> {
  readonly version: number;
  readonly change: ChangeKind;
  readonly changed_at: number;
}

function toEntry({ key, value, category, tags, confidence, updated_at }: ProfileRow): ProfileEntry {
  return { key, value, category, tags: parseStoredJson(tags), confidence, updatedAt: updated_at };
}

function toVersion({ changed_at, tags, ...row }: VersionRow): ProfileVersion {
  return { ...row, tags: parseStoredJson(tags), changedAt: changed_at };
}

/** The rows of a user's attributes, all or of a category, for a search among them. */
export function toProfileSelection(user: string, category: Category | undefined): SqlPart {
  const ofUser = 'SELECT id FROM user_profile WHERE user_id = ?';
  if (category === undefined) return { sql: ofUser, params: [user] };
  return { sql: `${ofUser} AND category = ?`, params: [user, category] };
}

/** The condition that a user's attributes meet under a filter. */
function toWhere(user: string, { keys, category, ...changed }: ProfileFilter): SqlPart {
  return joinConditions([
    { sql: 'user_id = ?', params: [user] },
    ...(keys === undefined ? [] : [{ sql: 'key IN (SELECT value FROM json_each(?))', params: [JSON.stringify(keys)] }]),
    ...(category === undefined ? [] : [{ sql: 'category = ?', params: [category] }]),
    ...toChangeConditions(changed),
  ]);
}

const versionColumns = 'number AS version, key, value, category, tags, confidence, change, changed_at';

/** The attributes of users in one database, and their history. */
export function createProfileTable(database: Database) {
  const prepare = createPrepare(database);
  const keys = database.prepare<[string], string>('SELECT key FROM user_profile WHERE user_id = ?').pluck();
  const put = database
    .prepare<[string, string, string, string | null, string, number, number], number>(
      `INSERT INTO user_profile (user_id, key, value, category, tags, confidence, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, category = excluded.category, tags = excluded.tags,
       confidence = excluded.confidence, updated_at = excluded.updated_at RETURNING id`,
    )
    .pluck();
  const remove = database.prepare<[string, string]>('DELETE FROM user_profile WHERE user_id = ? AND key = ?');
  const keysOf = database.prepare<[string, string], { id: number; key: string }>(
    'SELECT id, key FROM user_profile WHERE user_id = ? AND id IN (SELECT value FROM json_each(?))',
  );
  const listVersions = database.prepare<{ user: string; key: string | null }, VersionRow>(
    `SELECT ${versionColumns} FROM profile_history WHERE user_id = @user AND (@key IS NULL OR key = @key) ORDER BY number DESC`,
  );
  const nextNumber = createNextNumber(database, 'profile_history');
  const addVersion = database.prepare(
    `INSERT INTO profile_history (user_id, own_number, key, value, category, tags, confidence, change, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeVersions = database.prepare<{ user: string; key: string; value: string | null }>(
    'DELETE FROM profile_history WHERE user_id = @user AND key = @key AND (@value IS NULL OR value = @value)',
  );
  return {
    list: (
      user: string,
      filter: ProfileFilter = {},
      { limit = -1, offset = 0 }: Page = {},
    ): readonly ProfileEntry[] => {
      const { sql, params } = toWhere(user, filter);
      const order = filter.order === 'updated' ? 'updated_at DESC, key' : 'key';
      return prepare<ProfileRow>(
        `SELECT id, key, value, category, tags, confidence, updated_at FROM user_profile
         WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      )
        .all(...params, limit, offset)
        .map(toEntry);
    },
    keys: (user: string): readonly string[] => keys.all(user),
    /** The row of the attribute. */
    put: (user: string, { key, value, category, tags, confidence, updatedAt }: ProfileEntry): number =>
      put.get(user, key, value, category, JSON.stringify(tags), confidence, updatedAt) ?? 0,
    remove: (user: string, key: string): boolean => remove.run(user, key).changes > 0,
    /** The keys of rows. */
    keysOf: (user: string, rows: readonly number[]): ReadonlyMap<number, string> =>
      new Map(keysOf.all(user, JSON.stringify(rows)).map(({ id, key }) => [id, key])),
    versions: (user: string, key?: string): readonly ProfileVersion[] =>
      listVersions.all({ user, key: key ?? null }).map(toVersion),
    addVersion: (user: string, version: Omit<ProfileVersion, 'version'>): void => {
      const { key, value, category, tags, confidence, change, changedAt } = version;
      addVersion.run(user, nextNumber(user), key, value, category, JSON.stringify(tags), confidence, change, changedAt);
    },
    /** All versions, or those with a value. */
    removeVersions: (user: string, key: string, value?: string): void =>
      void removeVersions.run({ user, key, value: value ?? null }),
  };
}
