import { silentLog } from '@contextloom/runtime';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { openDocumentDatabase } from '../src/store/postgres/database.ts';
import { attackOwners, fillForAttacks } from './support/hostile-owners.ts';
import { createDatabase, describeWithPostgres, runSql } from './support/postgres-store.ts';

const ATTEMPTS = toRounds(2_000, 5_000);

describeWithPostgres('a Postgres server', (server) => {
  it.each([['postgres'], ['plain_user']])(
    `shows ${ATTEMPTS} callers with statements that forget them nothing of others, as %s`,
    async (user) => {
      if (user !== 'postgres') await runSql(server().url, `CREATE ROLE ${user} LOGIN`);
      const url = await createDatabase(server(), user);
      await fillForAttacks(url);
      const database = await openDocumentDatabase({ url, log: silentLog });
      expect(database.isOpen).toBe(false);
      await attackOwners(database, ATTEMPTS);
      await database.close();
    },
    600_000,
  );
});
