import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresServer, findPostgres } from '@contextloom/testing/postgres-server';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { runServer, startOverHttp, startOverStdio } from './support/server-process.ts';
import { findLost, startWriters } from './support/writers.ts';

const WRITERS = 6;
const bin = await findPostgres();

it('loses nothing that was acknowledged, and keeps nothing by halves, when it is killed in the middle of ingests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'project-memory-kill-'));
  const env = { PROJECT_MEMORY_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' };
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < toRounds(2, 8); round += 1) {
    const { url, child } = await startOverHttp(env);
    const writers = startWriters(url, WRITERS, round * 10_000);
    await writers.untilMore(5);
    // Somewhere inside the next writes.
    await sleep(Math.random() * 200);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await Promise.all([ended, writers.stop()]);
    for (const [id, content] of writers.acknowledged) acknowledged.set(id, content);
  }
  const report = JSON.parse((await runServer(['--doctor'], env)).stdout);
  expect(report).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
  expect(report.memories).toBeGreaterThanOrEqual(acknowledged.size);
  const { url, close } = await startOverHttp(env);
  expect(await findLost(url, acknowledged)).toEqual([]);
  await close();
  await rm(folder, { recursive: true });
});

it('starts after a first start that was killed', async () => {
  for (const moment of toRounds([0, 20], [0, 5, 10, 20, 50, 100])) {
    const folder = await mkdtemp(join(tmpdir(), 'project-memory-first-'));
    const dataDir = join(folder, 'data');
    const client = await startOverStdio(dataDir);
    const call = client.call('mem.list_projects', {}).catch(() => undefined);
    while (!existsSync(dataDir)) await sleep(1);
    await sleep(moment);
    process.kill(client.pid, 'SIGKILL');
    await call;
    await client.close();
    const again = await startOverStdio(dataDir);
    expect(await again.call('mem.list_projects', {})).toMatchObject({ results: [] });
    await again.close();
    await rm(folder, { recursive: true });
  }
});

(bin === undefined ? it.skip : it)(
  'loses nothing when the Postgres server is killed, and goes on by itself',
  async () => {
    const postgres = await createPostgresServer(bin ?? '');
    await postgres.start();
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'info' };
    const { url, close } = await startOverHttp(env);
    const writers = startWriters(url, WRITERS, 0);
    for (let round = 0; round < toRounds(2, 6); round += 1) {
      await writers.untilMore(10);
      await sleep(Math.random() * 200);
      await postgres.kill();
      await postgres.start();
    }
    await writers.untilMore(10);
    await writers.stop();
    expect(await findLost(url, writers.acknowledged)).toEqual([]);
    const report = JSON.parse((await runServer(['--doctor'], env)).stdout);
    expect(report).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
    expect(report.memories).toBeGreaterThanOrEqual(writers.acknowledged.size);
    await close();
    await postgres.remove();
  },
);
