import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runServer, startOverHttp, startOverStdio } from './support/server-process.ts';
import { findUnread, startStdioWriters } from './support/stdio-writers.ts';

// Making a database takes seconds, and many times that where all cores are busy.
jest.setTimeout(240_000);

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-memory-shared-'));
  dataDir = join(folder, 'data');
});
afterAll(() => rm(folder, { recursive: true }));

const note = (content: string) => ({ project_name: 'shared', content_type: 'development', content });

describe('several processes over stdio on one embedded store', () => {
  it('see what each other wrote, and the second goes on when the first has ended', async () => {
    // Both ask at once, before there is a database.
    const [first, second] = await Promise.all([startOverStdio(dataDir), startOverStdio(dataDir)]);
    const [a, b] = await Promise.all([
      first.call('mem.ingest_memory', note('The queue is drained by one worker a shard.')),
      second.call('mem.ingest_memory', note('缓存失效的原因是时钟漂移。')),
    ]);
    for (const client of [first, second]) {
      const { results } = await client.call('mem.get', { ids: [a.id, b.id] });
      expect(results.map(({ id }: { id: string }) => id)).toEqual([a.id, b.id]);
    }
    expect((await second.call('mem.search', { query: 'worker' })).results[0]).toMatchObject({ id: a.id });
    await first.close();
    const c = await second.call('mem.ingest_memory', note('Releases leave on Tuesdays.'));
    const { results } = await second.call('mem.get', { ids: [a.id, b.id, c.id] });
    expect(results).toHaveLength(3);
    await second.close();
    expect(existsSync(join(dataDir, 'holder.d'))).toBe(false);
  });

  it.each([2, 5])(
    'lose nothing that was acknowledged when the first of %i is killed among their writes',
    async (count) => {
      const clients = [await startOverStdio(dataDir)];
      // The first holds the folder once it has answered.
      await clients[0]?.call('mem.list_projects', {});
      for (let at = 1; at < count; at += 1) clients.push(await startOverStdio(dataDir));
      const writers = startStdioWriters(clients, `of ${count}`);
      await writers.untilEach(2);
      process.kill(clients[0]?.pid ?? 0, 'SIGKILL');
      await writers.untilEach(4);
      await writers.stop();
      expect(writers.failures.filter(({ writer }) => writer !== 0)).toEqual([]);
      expect(await findUnread(clients[1], writers.acknowledged)).toEqual([]);
      await Promise.all(clients.map(({ close }) => close()));
      const report = JSON.parse((await runServer(['--doctor'], toEnv())).stdout);
      expect(report).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
    },
  );

  it('keep owners apart', async () => {
    const ann = await startOverStdio(dataDir, { OWNER_ID: 'ann' });
    const bob = await startOverStdio(dataDir, { OWNER_ID: 'bob' });
    const { id } = await ann.call('mem.ingest_memory', note('Ann keeps this to herself.'));
    expect(await bob.call('mem.get', { ids: [id] })).toEqual({ results: [] });
    expect(await bob.call('mem.list_projects', {})).toMatchObject({ results: [] });
    await Promise.all([ann.close(), bob.close()]);
  });

  it('share with a server over HTTP, and let nobody but their user in', async () => {
    const { close } = await startOverHttp({ ...toEnv(), LOG_LEVEL: 'info' });
    const stdio = await startOverStdio(dataDir);
    expect(await stdio.call('mem.list_projects', {})).toMatchObject({ metadata: { returned: 4 } });
    const modeOf = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777;
    expect([await modeOf('holder.d'), await modeOf('holder.d/sock'), await modeOf('holder.json')]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    expect(await runServer(['--reembed'], toEnv())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('end it first'),
    });
    await Promise.all([close(), stdio.close()]);
  });

  it('wait for a first start that is killed, and make the database themselves', async () => {
    const other = join(folder, 'other');
    const [first, second] = [await startOverStdio(other), await startOverStdio(other)];
    const lost = first.call('mem.list_projects', {}).catch(() => undefined);
    const answer = second.call('mem.list_projects', {});
    process.kill(first.pid, 'SIGKILL');
    expect(await answer).toMatchObject({ results: [] });
    await lost;
    await Promise.all([first.close(), second.close()]);
  });

  const toEnv = () => ({ PROJECT_MEMORY_DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
});
