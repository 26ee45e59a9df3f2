import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '@contextloom/runtime';
import { describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { migrateSchema, openPool, prepareRole } from '../src/index.ts';

/** Ends the connection that waits for an advisory lock. */
const CUT_WAITING = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory'`;

describeWithPostgres('the role of statements', (server) => {
  it('is not made where the connection is cut meanwhile, and made by the next start of the same process', async () => {
    const pool = await openPool({ url: server().url, application: 'test', log: silentLog });
    const schema = { name: 'letters', lock: 8, migrations: ['CREATE TABLE letters (id BIGINT)'] };
    await migrateSchema(pool, schema);
    const role = { schema, name: 'letters_role', newestTable: 'letters' };
    const other = await pool.connect();
    await other.query(`SELECT pg_advisory_lock(${schema.lock})`);
    const refused = expect(prepareRole(pool, role)).rejects.toMatchObject({ code: '57P01' });
    while ((await pool.query(CUT_WAITING)).rowCount === 0) await sleep(10);
    await refused;
    other.release(true);
    expect(await prepareRole(pool, role)).toBe('role');
    await pool.end();
  });
});
