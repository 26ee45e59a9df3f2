import type { Category, ChangeKind } from '@contextloom/contracts/personal-memory';
import { parseStoredJson } from '@contextloom/sqlite';
import type { ProfileEntry, ProfileVersion } from '../../domain/model.ts';
import { toProfileText } from '../../domain/profile/profile-keys.ts';
import type { Page, ProfileFilter } from '../../domain/store.ts';
import { countRows, joinConditions, toChangeConditions } from './change-filter.ts';
import { createNextNumber } from './numbers.ts';
import { type Dialect, EVERYTHING, type Sql, type StatementPart } from './sql.ts';

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

/** The condition that a user's attributes meet under a filter. */
function toWhere(user: string, { keys, category, ...changed }: ProfileFilter, dialect: Dialect): StatementPart {
  return joinConditions([
    { sql: 'user_id = ?', params: [user] },
    ...(keys === undefined ? [] : [dialect.isIn('key', keys)]),
    ...(category === undefined ? [] : [{ sql: 'category = ?', params: [category] }]),
    ...toChangeConditions(changed, dialect),
  ]);
}

/** The condition on `user_profile` of a user's attributes, all or of a category, for a search among them. */
export function toProfileSelection(user: string, category: Category | undefined, dialect: Dialect): StatementPart {
  return toWhere(user, { category }, dialect);
}

const versionColumns = 'number AS version, key, value, category, tags, confidence, change, changed_at';

/** The attributes of users, and their history. */
export function createProfileTable(sql: Sql) {
  const { query, dialect } = sql;
  const nextNumber = createNextNumber(sql, 'profile_history');
  return {
    list: async (user: string, filter: ProfileFilter = {}, page: Page = {}): Promise<readonly ProfileEntry[]> => {
      const where = toWhere(user, filter, dialect);
      const order = filter.order === 'updated' ? 'updated_at DESC, key' : 'key';
      const rows = await query<ProfileRow>(
        `SELECT id, key, value, category, tags, confidence, updated_at FROM user_profile
         WHERE ${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
        [...where.params, page.limit ?? EVERYTHING, page.offset ?? 0],
      );
      return rows.map(toEntry);
    },
    count: (user: string, filter: ProfileFilter = {}): Promise<number> =>
      countRows(sql, 'user_profile', toWhere(user, filter, dialect)),
    keys: async (user: string): Promise<readonly string[]> => {
      const rows = await query<{ key: string }>('SELECT key FROM user_profile WHERE user_id = ?', [user]);
      return rows.map(({ key }) => key);
    },
    /** The row of the attribute. */
    put: async (user: string, { key, value, category, tags, confidence, updatedAt }: ProfileEntry): Promise<number> => {
      const [row] = await query<{ id: number }>(
        `INSERT INTO user_profile (user_id, key, value, category, tags, confidence, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, category = excluded.category, tags = excluded.tags,
         confidence = excluded.confidence, updated_at = excluded.updated_at RETURNING id`,
        [user, key, value, category, JSON.stringify(tags), confidence, updatedAt],
      );
      return row?.id ?? 0;
    },
    remove: async (user: string, key: string): Promise<boolean> => {
      const removed = await query('DELETE FROM user_profile WHERE user_id = ? AND key = ? RETURNING id', [user, key]);
      return removed.length > 0;
    },
    /** The keys of rows. */
    keysOf: async (user: string, rows: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      const among = dialect.isIn('id', rows);
      const known = await query<{ id: number; key: string }>(
        `SELECT id, key FROM user_profile WHERE user_id = ? AND ${among.sql}`,
        [user, ...among.params],
      );
      return new Map(known.map(({ id, key }) => [id, key]));
    },
    /** The texts by which rows are found; those that are gone are left out. */
    textsOf: async (rows: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      const among = dialect.isIn('id', rows);
      const known = await query<{ id: number; key: string; value: string; tags: string }>(
        `SELECT id, key, value, tags FROM user_profile WHERE ${among.sql}`,
        among.params,
      );
      return new Map(known.map(({ id, tags, ...row }) => [id, toProfileText({ ...row, tags: parseStoredJson(tags) })]));
    },
    versions: async (user: string, key?: string): Promise<readonly ProfileVersion[]> => {
      const ofKey = key === undefined ? '' : 'AND key = ?';
      const rows = await query<VersionRow>(
        `SELECT ${versionColumns} FROM profile_history WHERE user_id = ? ${ofKey} ORDER BY number DESC`,
        key === undefined ? [user] : [user, key],
      );
      return rows.map(toVersion);
    },
    addVersion: async (user: string, version: Omit<ProfileVersion, 'version'>): Promise<void> => {
      const { key, value, category, tags, confidence, change, changedAt } = version;
      const number = await nextNumber(user);
      await query(
        `INSERT INTO profile_history
           (user_id, ${dialect.numberColumn}, key, value, category, tags, confidence, change, changed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [user, number, key, value, category, JSON.stringify(tags), confidence, change, changedAt],
      );
    },
    /** All versions, or those with a value. */
    removeVersions: async (user: string, key: string, value?: string): Promise<void> => {
      const ofValue = value === undefined ? '' : 'AND value = ?';
      await query(
        `DELETE FROM profile_history WHERE user_id = ? AND key = ? ${ofValue}`,
        value === undefined ? [user, key] : [user, key, value],
      );
    },
  };
}
