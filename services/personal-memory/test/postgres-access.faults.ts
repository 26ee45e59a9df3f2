import { silentLog } from '@contextloom/runtime';
import { hostileOwners } from '@contextloom/testing/hostile/owners';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openPostgresDatabase } from '../src/store/postgres/database.ts';
import { connect } from './support/memory.ts';
import { openPostgresAt } from './support/postgres.ts';

const ATTEMPTS = toRounds(2_000, 5_000);
const VICTIMS = ['ann', 'bob'];
const TABLES = [
  'user_profile',
  'profile_history',
  'entities',
  'entity_aliases',
  'events',
  'event_entities',
  'event_entries',
];
/** Statements that forget their user, each by another way to the rows. */
const forgetful = [
  ...TABLES.map((table) => `SELECT user_id FROM ${table}`),
  'SELECT min(user_id) AS user_id FROM events GROUP BY id',
  'WITH every AS MATERIALIZED (SELECT * FROM events) SELECT user_id FROM every',
  "SELECT user_id FROM events WHERE user_id = ANY (ARRAY['ann', 'bob', '']) OR true",
  'SELECT e.user_id FROM (VALUES (1)) AS one (at) LEFT JOIN LATERAL (SELECT user_id FROM events) e ON true WHERE e.user_id IS NOT NULL',
  'SELECT e.user_id FROM event_entities l JOIN events e ON true JOIN entities n ON true',
];
describeWithPostgres('a Postgres server', (server) => {
  it.each([['postgres'], ['plain_user']])(
    `shows ${ATTEMPTS} users with statements that forget them nothing of others, as %s`,
    async (role) => {
      if (role !== 'postgres') await runSql(server().url, `CREATE ROLE ${role} LOGIN`);
      const url = await createDatabase(server(), role);
      const store = await openPostgresAt(url);
      for (const userId of VICTIMS) {
        const client = await connect(store, { userId });
        await client.ask('create_entity', { entity_type: 'pet', name: `of ${userId}` });
        await client.ask('add_entity_alias', { entity_id: 1, alias: `other name of ${userId}` });
        await client.ask('add_event', { event_type: 'other', description: userId, related_entity_ids: [1] });
        await client.ask('update_profile', { key: 'tea', value: userId });
        await client.close();
      }
      await store.close();
      const database = await openPostgresDatabase({ url, log: silentLog });
      expect(database.isOpen).toBe(false);
      const seenBy = (text: string, user: string) =>
        database.read({ user }, async ({ query }) =>
          (await query<{ user_id: string }>(text)).map((row) => row.user_id),
        );
      await fc.assert(
        fc.asyncProperty(hostileOwners(VICTIMS), fc.constantFrom(...forgetful), async (user, text) => {
          const seen = await seenBy(text, user);
          expect({ user, text, seen }).toEqual({ user, text, seen: VICTIMS.includes(user) ? [user] : [] });
        }),
        { numRuns: ATTEMPTS },
      );
      await database.close();
    },
    600_000,
  );
});
