import type { RelevanceScale } from '@contextloom/retrieval/ranking';
import type { MemoryStore } from '../../domain/store.ts';
import { countUser, toListed, USERS } from '../sql/count-user.ts';
import { createEventTable } from '../sql/event-table.ts';
import { createProfileTable } from '../sql/profile-table.ts';
import { createUserMemory, type MemoryDatabase } from '../sql/user-memory.ts';
import { forgetInPostgres } from './forget.ts';
import { checkIndex, createPostgresIndex, createReady, type IndexOptions } from './index-rows.ts';
import { dialect } from './postgres-sql.ts';

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
    use: async (userId, work) => work(createUserMemory(userId, memories)),
    users: () =>
      database.read('everyone', async ({ query }) =>
        (await query<{ user_id: string }>(USERS)).map(({ user_id }) => user_id),
      ),
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
