import { randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectOverHttp, startHttpGate } from '@contextloom/testing';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createHttpMemoryStore } from '../../src/open-memory-store.ts';
import { asked, type RunningServer, startJobServer, untilAllDone } from '../support/job-server.ts';
import { createFolder, type RunningKnowledgeBase, startKnowledgeBase } from '../support/knowledge-base.ts';
import { startProgram } from '../support/programs.ts';

const KILLS = toRounds(20, 200);
const USERS = ['ann', 'bob', 'cy', 'dee'];
const WORKERS = 3;

describeWithPostgres('servers and workers of several machines over one Postgres database', (postgres) => {
  let folder = '';
  let url = '';
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
  beforeEach(async () => {
    url = await createDatabase(postgres());
  });

  /** Each machine has a folder of its own. */
  const toEnv = (machine: string): Record<string, string> => ({
    KB_URL: knowledge.url,
    DATABASE_URL: url,
    MEMORY_PROCESSOR_DATA_DIR: join(folder, machine),
    JOB_LEASE_SECONDS: '1',
    LOG_LEVEL: 'info',
  });
  const startServer = (machine: string) =>
    startJobServer({ cwd: folder, env: { ...toEnv(machine), JOB_CONCURRENCY: '1' } });
  const startWorker = (machine: string) => {
    const running = startProgram('server', ['--worker', '2'], { cwd: folder, env: toEnv(machine) });
    running.child.stderr?.resume();
    return running;
  };

  it('lose no job and double no memory while any of them is killed again and again', async () => {
    const servers = await Promise.all(['server-0', 'server-1'].map(startServer));
    const workers = Array.from({ length: WORKERS }, (_, at) => startWorker(`worker-${at}`));
    let kills = 0;
    let acknowledged = 0;
    let [killAt, killing] = [1, Promise.resolve()];

    async function killOne(): Promise<void> {
      const at = randomInt(0, servers.length + WORKERS);
      const victim = servers[at] ?? workers[at - servers.length];
      if (victim === undefined) throw new Error('there is none to kill');
      victim.child.kill('SIGKILL');
      await victim.ended;
      kills += 1;
      if (at < servers.length) servers[at] = await startServer(`server-${at}`);
      else workers[at - servers.length] = startWorker(`worker-${at - servers.length}`);
    }

    /** Stores one conversation after the other at either server, each until it is acknowledged, by the same key. */
    async function store(user: string): Promise<number> {
      let count = 0;
      for (; kills < KILLS; count += 1) {
        const call = {
          user_id: user,
          conversation_history: `Ann: I saw film number ${count} of ${user}.`,
          conversation_date: '2025-03-05',
          transcript_id: `film-${count}`,
          idempotency_key: randomUUID(),
          wait: false,
        };
        for (let isKept = false; !isKept; ) {
          const { url: at } = servers[randomInt(0, servers.length)] as RunningServer;
          const client = await connectOverHttp(at, '2026-07-28').catch(() => undefined);
          isKept = await asked(client, 'process_transcript', call).then(
            () => true,
            () => false,
          );
          await client?.close().catch(() => undefined);
          if (!isKept) await killing;
        }
        acknowledged += 1;
        if (acknowledged < killAt || kills >= KILLS) continue;
        killAt = acknowledged + randomInt(1, 4);
        killing = killing.then(killOne);
      }
      return count;
    }

    const counts = await Promise.all(USERS.map(store));
    await killing;
    const [{ url: at }] = servers as [RunningServer];
    const client = await connectOverHttp(at, '2025-11-25');
    const memories = createHttpMemoryStore({ url: knowledge.url, log: silentLog });
    for (const [index, user] of USERS.entries()) {
      const count = counts[index] ?? 0;
      await untilAllDone(client, user, Math.min(count, 200));
      for (let n = 0; n < count; n += 1) {
        const recorded = await memories.listRecorded(user, `film-${n}`);
        expect([...recorded.values()].map(({ content }) => content)).toEqual([
          `[2025-03-05]\nAnn: I saw film number ${n} of ${user}.`,
        ]);
      }
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    await client.close();
    for (const { child, ended } of [...servers, ...workers]) {
      child.kill('SIGTERM');
      await ended;
    }
  }, 900_000);

  it('go on with an import of a machine that was killed, list it and take it back', async () => {
    const conversations = 30;
    const lines = Array.from({ length: conversations }, (_, at) =>
      JSON.stringify({ id: `c${at}`, date: '2024-03-05', messages: [{ role: 'user', content: `I saw town ${at}.` }] }),
    );
    const file = join(folder, 'export.jsonl');
    await writeFile(file, lines.join('\n'));
    const start = (machine: string, words: readonly string[], kbUrl = knowledge.url) =>
      startProgram('import', words, { cwd: folder, env: { ...toEnv(machine), KB_URL: kbUrl } });
    const words = ['import', file, '--user', 'kim', '--json'];
    const gate = await startHttpGate(knowledge.url, { path: '/batch_add', nth: 3 });
    const first = start('machine-0', words, gate.url);
    await gate.reached;
    const busy = await start('machine-1', words).ended;
    expect(JSON.parse(busy.stdout)).toMatchObject({ error: { code: 'conflict' } });
    first.child.kill('SIGKILL');
    await first.ended;
    await gate.close();
    const server = await startServer('machine-1');
    const client = await connectOverHttp(server.url, '2025-11-25');
    const list = async () => (await asked(client, 'list_imports', { user_id: 'kim' })).imports;
    while ((await list())[0]?.state !== 'cut_off') await new Promise((resolve) => setTimeout(resolve, 50));
    const { stdout } = await start('machine-2', words).ended;
    const { import: outcome } = JSON.parse(stdout);
    expect(outcome).toMatchObject({ conversations, failed: 0, stopped: false });
    expect(await list()).toMatchObject([{ id: outcome.id, state: 'done', conversations, saved: conversations }]);
    const memories = createHttpMemoryStore({ url: knowledge.url, log: silentLog });
    expect(await memories.listImported('kim', outcome.id)).toHaveLength(conversations);
    const undone = await asked(client, 'undo_import', { user_id: 'kim', id: outcome.id });
    expect(undone).toMatchObject({ removed: conversations });
    expect(await memories.listImported('kim', outcome.id)).toEqual([]);
    await client.close();
    server.child.kill('SIGTERM');
    await server.ended;
  }, 300_000);
});
