import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { createDatabase, describeWithPostgres, runSql } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { type Databases, openDatabases } from '../../src/open-databases.ts';
import { createSqlJobQueue } from '../../src/store/jobs/sql-job-queue.ts';
import { openPostgresDatabase } from '../../src/store/sql/postgres-database.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { describeImportRecords } from './import-records.contract.ts';
import { describeJobQueue } from './job-queue.contract.ts';

const openJobs = async (url: string) => createSqlJobQueue(await openPostgresDatabase(url, silentLog));
const openAll = (dataDir: string, databaseUrl: string | undefined, jobLeaseSeconds = 60): Databases =>
  openDatabases({
    config: { dataDir, databaseUrl, jobLeaseSeconds },
    clock: () => new Date('2026-03-02T09:30:00Z'),
    newId: randomUUID,
    log: silentLog,
  });
const use = { calls: 1, inputTokens: 10, outputTokens: 2 };
const holder = { onStop: () => undefined, progress: () => ({ done: 0, total: 0 }) };

describeWithPostgres('a Postgres server', (server) => {
  describeJobQueue('Postgres', async () => {
    const url = await createDatabase(server());
    return { open: () => openJobs(url), remove: async () => undefined };
  });

  describeImportRecords('Postgres', async () => {
    const url = await createDatabase(server());
    const { path, remove } = await createFolder();
    return { open: () => openAll(path, url), remove };
  });

  it('makes its schema once, however many processes start at the same moment, and refuses a newer one', async () => {
    const url = await createDatabase(server());
    const opened = await Promise.all([1, 2, 3].map(() => openJobs(url)));
    await Promise.all(opened.map((queue) => queue.close()));
    const version = 'contextloom_memory_processor.schema_version';
    expect(await runSql(url, `SELECT version FROM ${version}`)).toEqual([{ version: 4 }]);
    await runSql(url, `UPDATE ${version} SET version = 9`);
    await expect(openJobs(url)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('has version 9, and this program knows versions up to 4'),
    });
  });

  it('counts what the model took together with other processes', async () => {
    const url = await createDatabase(server());
    const [one, two] = [openAll('/nowhere', url), openAll('/nowhere', url)];
    const uses = [await one.openModelUse(), await two.openModelUse()];
    await Promise.all(Array.from({ length: 20 }, (_, at) => uses[at % 2]?.add('2026-03-02', use, 0.0000005)));
    expect(await uses[0]?.of('2026-03-02')).toEqual({ tokens: 240, dollars: expect.closeTo(0.00001, 12) });
    expect(await uses[1]?.of('2026-03-03')).toEqual({ tokens: 0, dollars: 0 });
    await Promise.all([one.close(), two.close()]);
  });

  it('says what is wrong with an address, and goes on once the server is back', async () => {
    const url = await createDatabase(server());
    const queue = await openJobs(url);
    const job = { id: randomUUID(), userId: 'ann', kind: 'store', payload: { text: 'hello' } };
    await queue.add(job);
    await server().kill();
    const away = { code: 'unavailable', message: expect.stringContaining('DATABASE_URL cannot be reached') };
    await expect(queue.add({ ...job, id: randomUUID() })).rejects.toMatchObject(away);
    await expect(openJobs(url)).rejects.toMatchObject(away);
    await server().start();
    expect(await queue.list('ann', { limit: 9 })).toMatchObject([{ id: job.id, state: 'queued' }]);
    await queue.close();
    await expect(openJobs(`${url}_not_there`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('refuses this user, password or name'),
    });
  }, 180_000);

  it('takes over the jobs and imports of files at the first start, of each machine its own, and removes the files', async () => {
    const url = await createDatabase(server());
    const machines = [await createFolder(), await createFolder()];
    const toJob = (userId: string, text: string) => ({ id: randomUUID(), userId, kind: 'store', payload: { text } });
    const jobs = ['first', 'second'].map((text) => toJob('ann', text));
    for (const [at, { path }] of machines.entries()) {
      const before = openAll(path, undefined);
      const queue = await before.openJobs();
      await queue.add(jobs[at] ?? toJob('ann', ''));
      await (await before.openModelUse()).add(`2026-03-0${at + 1}`, use, 0.5);
      const { journal } = await before.openImports();
      await journal.begin({ id: `i${at}`, userId: 'ann', sources: ['chat.txt'] });
      await journal.settle(`i${at}`, { key: '1', title: 'Walks', part: 1 }, { state: 'saved', saved: 2 });
      // A worker that was killed has the one of them.
      if (at === 0) await queue.claim({ id: randomUUID(), ms: 1 });
      await before.close();
    }
    for (const { path } of [...machines, ...machines]) {
      const opened = openAll(path, url);
      await Promise.all([opened.openJobs(), opened.openImports()]);
      await opened.close();
      expect((await readdir(path)).filter((name) => /jobs|imports/.test(name))).toEqual([]);
    }
    const after = openAll(machines[0]?.path ?? '', url);
    const queue = await after.openJobs();
    expect((await queue.list('ann', { limit: 9 })).map(({ id, state }) => [id, state])).toEqual(
      [...jobs].reverse().map(({ id }) => [id, 'queued']),
    );
    expect((await queue.claim({ id: randomUUID(), ms: 60_000 }))?.payload).toEqual({ text: 'first' });
    const { journal } = await after.openImports();
    expect(await journal.list('ann')).toMatchObject([
      { id: 'i0', conversations: 1, saved: 2 },
      { id: 'i1', conversations: 1, saved: 2 },
    ]);
    expect(await (await after.openModelUse()).of('2026-03-02')).toEqual({ tokens: 12, dollars: 0.5 });
    await after.close();
    for (const { remove } of machines) await remove();
  });

  it('leaves files as they are while the database cannot be reached, and uses nothing else', async () => {
    const { path, remove } = await createFolder();
    const before = openAll(path, undefined);
    const job = { id: randomUUID(), userId: 'ann', kind: 'store', payload: { text: 'hello' } };
    await (await before.openJobs()).add(job);
    await before.close();
    const away = openAll(path, 'postgres://postgres@127.0.0.1:1/none');
    await expect(away.openJobs()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(away.openImports()).rejects.toMatchObject({ code: 'unavailable' });
    await away.close();
    expect(existsSync(join(path, 'jobs.db'))).toBe(true);
    const again = openAll(path, undefined);
    expect(await (await again.openJobs()).find(job.id, 'ann')).toMatchObject({ state: 'queued' });
    await again.close();
    await remove();
  });

  it('tells others how far an import is, ends it when one asks, and frees it of a process that was killed', async () => {
    const url = await createDatabase(server());
    const { path, remove } = await createFolder();
    const [here, there] = [openAll(path, url), openAll(path, url)];
    const [{ locks }, { locks: others }] = [await here.openImports(), await there.openImports()];
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const release = await locks.take('a1', { onStop: () => stop(), progress: () => ({ done: 3, total: 7 }) });
    while ((await others.look('a1'))?.progress?.done !== 3) await new Promise(setImmediate);
    expect(await others.look('a1')).toEqual({ progress: { done: 3, total: 7 } });
    void stopped.then(release);
    await others.stop('a1');
    expect(await others.look('a1')).toBeUndefined();
    const killed = openAll(path, url, 1);
    const lost = await (await killed.openImports()).locks.take('b1', holder);
    // Its process is gone, and says nothing more.
    await killed.close();
    await expect(others.take('b1', holder)).rejects.toMatchObject({ code: 'conflict' });
    while ((await others.look('b1')) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    await (await others.take('b1', holder))();
    await lost().catch(() => undefined);
    await here.close();
    await there.close();
    await remove();
  }, 60_000);
});
