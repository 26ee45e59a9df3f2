import type { Forgotten } from '@contextloom/contracts';
import { eraseDeadRows } from '@contextloom/postgres';
import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import type { MemoryStore, UserMemory } from '../../domain/store.ts';
import { countUser, toListed, USERS, userTables } from '../sql/count-user.ts';
import { ENDED_USERS } from '../sql/end-table.ts';
import { createEventTable } from '../sql/event-table.ts';
import { createProfileTable } from '../sql/profile-table.ts';
import { createUserMemory, type MemoryDatabase } from '../sql/user-memory.ts';
import type { PostgresDatabase } from './database.ts';
import { checkIndex, createPostgresIndex, createReady, type IndexOptions } from './index-rows.ts';
import { dialect } from './postgres-sql.ts';
import { SCHEMA, tables } from './schema.ts';

const rewritten = tables.map((table) => `${SCHEMA}.${table}`);

/** Erases a user: the rows with all that is derived of them, and then the files of the tables. */
async function forgetInPostgres(database: PostgresDatabase, user: string, isDryRun: boolean): Promise<Forgotten> {
  if (isDryRun) return { erased: await database.read({ user }, (sql) => countUser(sql, user)), unreached: [] };
  const { erased, transaction } = await database.write({ user }, async (sql) => {
    const counts = await countUser(sql, user);
    for (const { table } of userTables) await sql.query(`DELETE FROM ${table} WHERE user_id = ?`, [user]);
    const [current] = await sql.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    return { erased: counts, transaction: current?.id ?? '' };
  });
  // Without rows too: an earlier call may have ended between the two.
  return { erased, unreached: await eraseDeadRows(database.run, { tables: rewritten, transaction }) };
}

const listUsers = (database: PostgresDatabase, text: string, params: readonly number[] = []) =>
  database.read('everyone', async ({ query }) =>
    (await query<{ user_id: string }>(text, params)).map(({ user_id }) => user_id),
  );

/** A memory that knows from what it has read whether something has ended: no statement of its own asks that. */
function createMemory(user: string, memories: MemoryDatabase, database: PostgresDatabase): UserMemory {
  const firstEnds: number[] = [];
  const memory = createUserMemory(user, {
    ...memories,
    read: (_user, work) =>
      database.read({ user }, (sql) => {
        firstEnds.push(sql.firstEnd ?? Number.POSITIVE_INFINITY);
        return work(sql);
      }),
  });
  return {
    ...memory,
    hasEnded: async (now) => (firstEnds.length === 0 ? memory.hasEnded(now) : Math.min(...firstEnds) <= now),
  };
}

/** How memories in Postgres are used. */
export interface PostgresStoreOptions extends IndexOptions {
  /** What relevance means with the embedder. */
  readonly scale?: RelevanceScale | undefined;
}

/** Builds the store over an open database; closing the store closes the database. */
export function createPostgresStore({ scale, ...options }: PostgresStoreOptions): MemoryStore {
  const { database, fingerprint } = options;
  const events = createPostgresIndex(options, {
    from: 'events e',
    row: 'e.id',
    entries: 'event_entries',
    scale,
    textsOf: (sql, rows) => createEventTable(sql).textsOf(rows),
  });
  const profile = createPostgresIndex(options, {
    from: 'user_profile',
    row: 'id',
    entries: 'profile_entries',
    textsOf: (sql, rows) => createProfileTable(sql).textsOf(rows),
  });
  const ready = createReady(options, [events, profile]);
  const memories: MemoryDatabase = {
    dialect,
    read: (user, work) => database.read({ user }, work),
    write: (user, work) =>
      database.write({ user }, async (sql) => {
        await checkIndex(sql, fingerprint);
        return work(sql);
      }),
    events: { ...events, ready },
    profile: { ...profile, ready },
  };
  return {
    use: async (userId, work) => work(createMemory(userId, memories, database)),
    users: () => listUsers(database, USERS),
    endedUsers: (now) => listUsers(database, ENDED_USERS, [now]),
    count: (userId) => database.read({ user: userId }, async (sql) => toListed(await countUser(sql, userId))),
    sizeOf: () => undefined,
    embedWaiting: async () => {
      await ready();
      return (await events.embedWaiting()) + (await profile.embedWaiting());
    },
    countWaiting: async () => (await events.countWaiting()) + (await profile.countWaiting()),
    // Whoever runs the server backs it up.
    backUp: async () => [],
    forget: async (userId, isDryRun) => {
      const { erased, unreached } = await forgetInPostgres(database, userId, isDryRun);
      return { erased: erased.filter(({ count }) => count > 0), unreached };
    },
    close: database.close,
  };
}
