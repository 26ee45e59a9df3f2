import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';
import { hostileOwners } from '@contextloom/testing/hostile/owners';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSqlJobQueue } from '../../src/store/jobs/sql-job-queue.ts';
import { createSqlJournal } from '../../src/store/journal/sql-journal.ts';
import { openPostgresDatabase } from '../../src/store/sql/postgres-database.ts';

const ATTEMPTS = toRounds(500, 5_000);
const VICTIMS = ['ann', 'bob'];
/** Statements that forget their user, each by another way to the rows. */
const forgetful = [
  'SELECT user_id FROM jobs',
  'SELECT user_id FROM imports',
  'SELECT title AS user_id FROM items',
  'SELECT min(user_id) AS user_id FROM jobs GROUP BY id',
  'WITH every AS MATERIALIZED (SELECT * FROM jobs) SELECT user_id FROM every',
  "SELECT user_id FROM jobs WHERE user_id = ANY (ARRAY['ann', 'bob', '']) OR true",
  'SELECT i.user_id FROM items t JOIN imports i ON true',
  "UPDATE jobs SET state = 'cancelled' RETURNING user_id",
];

describeWithPostgres('a Postgres server', (server) => {
  it.each([['postgres'], ['plain_user']])(
    `shows ${ATTEMPTS} users with statements that forget them no jobs and imports of others, as %s`,
    async (role) => {
      if (role !== 'postgres') await runSql(server().url, `CREATE ROLE ${role} LOGIN`);
      const database = await openPostgresDatabase(await createDatabase(server(), role), silentLog);
      const queue = createSqlJobQueue(database);
      const journal = createSqlJournal(database, () => new Date());
      for (const userId of VICTIMS) {
        await queue.add({ id: randomUUID(), userId, kind: 'store', payload: { text: `of ${userId}` } });
        await journal.begin({ id: `import of ${userId}`, userId, sources: ['chat.txt'] });
        const item = { key: '1', title: userId, part: 1 };
        await journal.settle(`import of ${userId}`, item, { state: 'saved', saved: 1 });
      }
      await fc.assert(
        fc.asyncProperty(hostileOwners(VICTIMS), fc.constantFrom(...forgetful), async (user, text) => {
          const seen = (await database.of(user)<{ user_id: string }>(text)).map((row) => row.user_id);
          expect({ user, text, seen }).toEqual({ user, text, seen: VICTIMS.includes(user) ? [user] : [] });
        }),
        { numRuns: ATTEMPTS },
      );
      expect((await database.query('SELECT id FROM jobs')).length).toBe(VICTIMS.length);
      await queue.close();
    },
    600_000,
  );
});
