import { silentLog } from '@contextloom/runtime';
import { describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { migrateSchema, openPool, toSchemaUpkeep } from '../src/index.ts';

describeWithPostgres('migrations', (server) => {
  it('whose connection is cut are undone, refused, and made by the next start of the same process', async () => {
    const pool = await openPool({ url: server().url, application: 'test', log: silentLog });
    const schema = { name: 'notes', lock: 7, migrations: ['CREATE TABLE notes (id BIGINT)'] };
    const cut = 'SELECT pg_terminate_backend(pg_backend_pid())';
    await expect(migrateSchema(pool, { ...schema, migrations: [...schema.migrations, cut] })).rejects.toThrow();
    const upkeep = toSchemaUpkeep({ store: 'notes', url: server().url, schema });
    expect(await upkeep.find()).toBe(0);
    await migrateSchema(pool, schema);
    expect(await upkeep.find()).toBe(1);
    await pool.end();
  });
});
