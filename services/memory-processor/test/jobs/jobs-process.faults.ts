import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHttpMemoryStore } from '../../src/open-memory-store.ts';
import { asked, startJobServer, untilAllDone } from '../support/job-server.ts';
import { createFolder, type RunningKnowledgeBase, startKnowledgeBase } from '../support/knowledge-base.ts';
import { startProgram } from '../support/programs.ts';

const KILLS = toRounds(20, 200);
const USERS = ['ann', 'bob', 'cy', 'dee'];

let folder = '';
let knowledge: RunningKnowledgeBase;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const created = await createFolder();
  folder = created.path;
  knowledge = await startKnowledgeBase(join(folder, 'documents'));
  ends.push(knowledge.stop, created.remove);
}, 120_000);
afterAll(async () => {
  for (const end of ends) await end();
}, 60_000);

const toEnv = (more: Record<string, string> = {}): Record<string, string> => ({
  KB_URL: knowledge.url,
  MEMORY_PROCESSOR_DATA_DIR: join(folder, 'jobs'),
  JOB_LEASE_SECONDS: '1',
  LOG_LEVEL: 'info',
  ...more,
});

const startServer = (more?: Record<string, string>) => startJobServer({ cwd: folder, env: toEnv(more) });

it('loses and doubles nothing that was acknowledged while the server is killed again and again', async () => {
  let server = await startServer();
  let kills = 0;
  let acknowledged = 0;
  let [killAt, restarting] = [randomInt(1, 6), Promise.resolve()];
  const perUser = new Map(USERS.map((user) => [user, 0]));

  async function restart(): Promise<void> {
    server.child.kill('SIGKILL');
    await server.ended;
    kills += 1;
    server = await startServer();
  }
  function maybeKill(): void {
    if (acknowledged < killAt || kills >= KILLS) return;
    killAt = acknowledged + randomInt(1, 6);
    restarting = restarting.then(restart);
  }

  /** Stores one conversation after the other, and each until it is acknowledged, by the same key. */
  async function store(user: string): Promise<void> {
    let client: TestClient | undefined;
    for (let n = 0; kills < KILLS; n += 1) {
      const call = {
        user_id: user,
        conversation_history: `Ann: I saw film number ${n} of ${user}.`,
        conversation_date: '2025-03-05',
        transcript_id: `film-${n}`,
        idempotency_key: randomUUID(),
        wait: false,
      };
      for (let isKept = false; !isKept; ) {
        await restarting;
        try {
          client ??= await connectOverHttp(server.url, '2025-11-25');
          await asked(client, 'process_transcript', call);
          isKept = true;
        } catch {
          await client?.close().catch(() => undefined);
          client = undefined;
        }
      }
      perUser.set(user, n + 1);
      acknowledged += 1;
      maybeKill();
    }
    await client?.close().catch(() => undefined);
  }

  await Promise.all(USERS.map(store));
  await restarting;
  const client = await connectOverHttp(server.url, '2025-11-25');
  const memories = createHttpMemoryStore({ url: knowledge.url, log: silentLog });
  for (const user of USERS) {
    const count = perUser.get(user) ?? 0;
    const jobs = await untilAllDone(client, user, Math.min(count, 200));
    expect(new Set(jobs.map(({ job_id }: { job_id: string }) => job_id)).size).toBe(jobs.length);
    for (let n = 0; n < count; n += 1) {
      const recorded = await memories.listRecorded(user, `film-${n}`);
      expect([...recorded.values()].map(({ content }) => content)).toEqual([
        `[2025-03-05]\nAnn: I saw film number ${n} of ${user}.`,
      ]);
    }
  }
  expect(kills).toBe(KILLS);
  await client.close();
  server.child.kill('SIGTERM');
  await server.ended;
}, 600_000);

it('is done by a worker of its own where servers leave it to that, and by another after a kill', async () => {
  const server = await startServer({ JOB_CONCURRENCY: '0' });
  const client = await connectOverHttp(server.url, '2025-11-25');
  const args = { user_id: 'eve', conversation_history: 'Eve: I keep bees.', wait: false };
  const { job_id } = await asked(client, 'process_transcript', args);
  expect(await asked(client, 'get_job', { job_id })).toMatchObject({ state: 'queued', attempts: 0 });
  const startWorker = () => startProgram('server', ['--worker', '3'], { cwd: folder, env: toEnv() });
  const first = startWorker();
  first.child.kill('SIGKILL');
  await first.ended;
  const second = startWorker();
  while ((await asked(client, 'get_job', { job_id })).state !== 'done')
    await new Promise((resolve) => setTimeout(resolve, 50));
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  await client.close();
  server.child.kill('SIGTERM');
  await once(server.child, 'close');
}, 240_000);
