import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { createPostgresEngine } from '../src/store/postgres/engine.ts';
import { openPgDatabase } from '../src/store/postgres/pg-database.ts';
import { findVersion } from '../src/store/postgres/schema/prepare-database.ts';
import { schemaSteps } from '../src/store/postgres/schema/schema.ts';
import { openStore } from './support/memory.ts';

describeWithPostgres('project memory in an empty Postgres database', (server) => {
  it('has no tables, and the present ones once it was opened', async () => {
    const database = openPgDatabase({ url: await createDatabase(server()), onLost: () => undefined });
    expect(await findVersion(database)).toBe(0);
    await openStore({ toEngine: () => createPostgresEngine(database) });
    expect(await findVersion(database)).toBe(schemaSteps.length);
    await database.close();
  });
});
