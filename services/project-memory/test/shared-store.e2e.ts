import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openDatabase } from '@contextloom/sqlite';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { migrations } from '../src/store/sqlite/schema.ts';
import { runServer, type StdioMemory, startOverHttp, startOverStdio } from './support/server-process.ts';
import { findUnread, startStdioWriters } from './support/stdio-writers.ts';

// Starting programs takes seconds, and many times that where all cores are busy.
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
  });

  it.each([2, 5])('lose nothing that was acknowledged when one of %i is killed among their writes', async (count) => {
    const clients: StdioMemory[] = [];
    for (let at = 0; at < count; at += 1) clients.push(await startOverStdio(dataDir));
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
  });

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
    expect([await modeOf('.'), await modeOf('project-memory.db'), await modeOf('project-memory.db-wal')]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    await Promise.all([close(), stdio.close()]);
  });

  it('refuse to mix vectors once another process has made them again with another embedder', async () => {
    const other = join(folder, 'other');
    const stdio = await startOverStdio(other);
    await stdio.call('mem.ingest_memory', note('The lock gate opens at seven.'));
    const database = openDatabase({ file: join(other, 'project-memory.db'), migrations });
    const space = JSON.stringify({ provider: 'openai', model: 'm', dimensions: 8 });
    database.prepare("update project_memory_state set value = ? where name = 'space'").run(space);
    database.close();
    expect(await stdio.refusal('mem.ingest_memory', note('It closes at nine.'))).toContain('another embedder');
    await stdio.close();
  });

  const toEnv = () => ({ PROJECT_MEMORY_DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
});
