import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { openPgDatabase } from '../src/store/postgres/pg-database.ts';
import { findVersion } from '../src/store/postgres/schema/prepare-database.ts';

describeWithPostgres('project memory in an empty Postgres database', (server) => {
  it('has no tables yet, and says so where the server has no pgvector to make them with', async () => {
    const url = await createDatabase(server());
    const available = await runSql(url, "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
    const database = openPgDatabase({ url, onLost: () => undefined });
    const found = findVersion(database);
    if (available.length === 1) expect(await found).toBe(0);
    else {
      const message = expect.stringContaining('no pgvector');
      await expect(found).rejects.toMatchObject({ code: 'unavailable', message });
    }
    await database.close();
  });
});
