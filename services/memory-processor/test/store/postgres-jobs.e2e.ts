import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgresJobs } from '../../src/store/jobs/postgres-jobs.ts';
import { describeJobQueue } from './job-queue.contract.ts';

// .ci/run installs it; elsewhere than there a machine may have none.
const bin = await findPostgres('plain');
const whereThere = bin === undefined ? describe.skip : describe;

whereThere('a Postgres server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await createPostgresServer(bin ?? '');
    await server.start();
  }, 180_000);
  afterAll(() => server.remove(), 60_000);

  /** A database of its own for each suite. */
  async function createDatabase(): Promise<string> {
    const name = `jobs_${randomUUID().replaceAll('-', '')}`;
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return server.url.replace(/\/postgres$/, `/${name}`);
  }

  describeJobQueue('Postgres', async () => {
    const url = await createDatabase();
    return { open: () => openPostgresJobs(url, silentLog), remove: async () => undefined };
  });

  it('makes its schema once, however many processes start at the same moment, and refuses a newer one', async () => {
    const url = await createDatabase();
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresJobs(url, silentLog)));
    await Promise.all(opened.map((queue) => queue.close()));
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query('SELECT version FROM contextloom_memory_processor.schema_version');
    expect(rows).toEqual([{ version: 1 }]);
    await client.query('UPDATE contextloom_memory_processor.schema_version SET version = 9');
    await client.end();
    await expect(openPostgresJobs(url, silentLog)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('has version 9, and this program knows versions up to 1'),
    });
  });

  it('says what is wrong with an address, and goes on once the server is back', async () => {
    const url = await createDatabase();
    const queue = await openPostgresJobs(url, silentLog);
    const job = { id: randomUUID(), userId: 'ann', kind: 'store', payload: { text: 'hello' } };
    await queue.add(job);
    await server.kill();
    const away = { code: 'unavailable', message: expect.stringContaining('DATABASE_URL cannot be reached') };
    await expect(queue.add({ ...job, id: randomUUID() })).rejects.toMatchObject(away);
    await expect(openPostgresJobs(url, silentLog)).rejects.toMatchObject(away);
    await server.start();
    expect(await queue.list('ann', { limit: 9 })).toMatchObject([{ id: job.id, state: 'queued' }]);
    await queue.close();
    await expect(openPostgresJobs(`${url}_not_there`, silentLog)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('refuses this user, password or name'),
    });
  }, 180_000);
});
