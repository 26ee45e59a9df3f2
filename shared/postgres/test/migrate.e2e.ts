import { silentLog } from '@contextloom/runtime';
import { describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { migrateSchema, openPool, readSchemaVersion } from '../src/index.ts';

describeWithPostgres('migrations', (server) => {
  it('whose connection is cut are undone, refused, and made by the next start of the same process', async () => {
    const pool = await openPool({ url: server().url, application: 'test', log: silentLog });
    const schema = { name: 'notes', lock: 7, migrations: ['CREATE TABLE notes (id BIGINT)'] };
    const cut = 'SELECT pg_terminate_backend(pg_backend_pid())';
    await expect(migrateSchema(pool, { ...schema, migrations: [...schema.migrations, cut] })).rejects.toThrow();
    expect(await readSchemaVersion(pool, schema)).toEqual({ version: 0, wanted: 1 });
    await migrateSchema(pool, schema);
    expect(await readSchemaVersion(pool, schema)).toEqual({ version: 1, wanted: 1 });
    await pool.end();
  });
});
