import { once } from 'node:events';
import { join } from 'node:path';
import { connectOverHttp } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { sqliteJobTables } from '../../src/store/jobs/job-tables.ts';
import { createSqlModelUse } from '../../src/store/jobs/sql-model-use.ts';
import { openSqliteDatabase } from '../../src/store/sql/sqlite-database.ts';
import { CONCURRENCY, firstTurns, sentWindows, toFilms, useFilms, WINDOWS } from '../support/films.ts';
import { asked, type RunningServer, startJobServer } from '../support/job-server.ts';
import { drawOne } from '../support/scripted-model.ts';

const { startEndpoint, listStored, expectAllOnce, closeLater, folder, toEnv } = useFilms();
const TEXT = Array.from({ length: WINDOWS * 6 }, (_, at) => `Anna: I saw film number ${at + 1}.`).join('\n');

/** What was counted in the file, whoever counted it. */
async function countUsed(): Promise<number> {
  const database = openSqliteDatabase(join(folder(), 'journal', 'jobs.db'), sqliteJobTables);
  const used = await createSqlModelUse(database).of(new Date().toISOString().slice(0, 10));
  await database.close();
  return used.tokens;
}

it('keeps to its budget and loses nothing when the worker is killed half-way, and again while it waits', async () => {
  let server: RunningServer | undefined;
  let killAt = 12;
  closeLater({ close: async () => void server?.child.kill('SIGKILL') });
  const endpoint = await startEndpoint({
    chat: (request, index) => {
      if (index + 1 === killAt) server?.child.kill('SIGKILL');
      return { ...drawOne(request), delayMs: 30 };
    },
  });
  const start = (more: Readonly<Record<string, string>>) =>
    startJobServer({
      cwd: folder(),
      env: {
        ...toEnv(endpoint),
        LLM_CONCURRENCY: String(CONCURRENCY),
        LLM_CHECK_FACTS: 'off',
        JOB_LEASE_SECONDS: '1',
        TIMEZONE: 'UTC',
        LOG_LEVEL: 'info',
        ...more,
      },
    });
  const end = async (running: RunningServer, signal: NodeJS.Signals): Promise<void> => {
    running.child.kill(signal);
    if (running.child.exitCode === null && running.child.signalCode === null) await once(running.child, 'exit');
  };
  const ask = async (running: RunningServer, tool: string, args: object) => {
    const client = await connectOverHttp(running.url, '2025-11-25');
    return asked(client, tool, args).finally(() => client.close());
  };
  const untilJob = async (
    running: RunningServer,
    job_id: string,
    isMeant: (job: Record<string, unknown>) => boolean,
  ) => {
    for (;;) {
      const job = await ask(running, 'get_job', { job_id });
      if (isMeant(job)) return job;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const isWaiting = ({ state, reason }: Record<string, unknown>): boolean => state === 'queued' && reason !== undefined;
  // A call of this script takes some 700 tokens: there is room for about half of the forty.
  const bounded = { LLM_BUDGET_TOKENS: '15000' };

  server = await start(bounded);
  const call = { user_id: 'anna', conversation_history: TEXT, transcript_id: 'films', wait: false };
  const { job_id } = await ask(server, 'process_transcript', call);
  await server.ended;
  const counted = await countUsed();
  expect(counted).toBeGreaterThan(0);

  server = await start(bounded);
  const waiting = await untilJob(server, job_id, isWaiting);
  expect(waiting['result']).toMatchObject({ extractor: { kind: 'model' } });
  const used = await countUsed();
  expect(used).toBeGreaterThan(counted);
  expect(used).toBeGreaterThanOrEqual(15_000);
  const askedBy = endpoint.all.length;
  expect(sentWindows(endpoint).length).toBeLessThan(WINDOWS);
  const { episodes } = await listStored('anna');
  expect(toFilms(episodes)).toEqual(firstTurns);

  await end(server, 'SIGKILL');
  server = await start(bounded);
  expect(await ask(server, 'get_job', { job_id })).toMatchObject({ state: 'queued', reason: waiting['reason'] });
  await ask(server, 'retry_job', { job_id });
  await untilJob(server, job_id, isWaiting);
  expect(endpoint.all).toHaveLength(askedBy);
  expect(await countUsed()).toBe(used);
  await end(server, 'SIGTERM');

  killAt = Number.POSITIVE_INFINITY;
  server = await start({ LLM_BUDGET_TOKENS: '10000000' });
  await ask(server, 'retry_job', { job_id });
  await untilJob(server, job_id, ({ state }) => state === 'done');
  await expectAllOnce('anna');
  await end(server, 'SIGTERM');
}, 120_000);
