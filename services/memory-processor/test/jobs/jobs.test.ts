import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createMemoryProcessorServer } from '../../src/build-server.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { addJobMetrics } from '../../src/jobs/job-metrics.ts';
import type { JobRunner } from '../../src/jobs/job-runner.ts';
import { type Databases, openDatabases } from '../../src/open-databases.ts';
import { openJobs } from '../../src/open-jobs.ts';
import { createLazyGraphStore } from '../../src/store/lazy-graph-store.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';

const history = [
  { role: 'user', content: 'I am allergic to peanuts.' },
  { role: 'assistant', content: 'I will remember that.' },
];
const CALLED_AT = '2026-05-01T10:00:00.000Z';

let folder = '';
let remove = async (): Promise<void> => undefined;
let memories: KeptMemories;
let databases: Databases;
let jobs: JobRunner;
let client: TestClient;
let ids = 0;

async function open(concurrency: number): Promise<void> {
  const processor = createMemoryProcessor({ memories });
  const config = { dataDir: folder, jobLeaseSeconds: 60, undatedTurns: 'call' as const, databaseUrl: undefined };
  const newId = (): string => `id-${ids++}`;
  const clock = () => new Date(CALLED_AT);
  databases = openDatabases({ config, clock, newId, log: silentLog });
  const graph = createLazyGraphStore(async () => undefined);
  jobs = openJobs({ databases, config, concurrency, processor, memories, graph, clock, newId, log: silentLog });
  client = await connectInMemory(
    createMemoryProcessorServer({
      processor,
      jobs: jobs.queue,
      clock: () => new Date(CALLED_AT),
      newId,
      version: '0',
      log: silentLog,
    }),
  );
}

async function close(): Promise<void> {
  await client.close();
  await jobs.close();
  await databases.close();
}

beforeEach(async () => {
  ({ path: folder, remove } = await createFolder());
  memories = createKeptMemories();
  await open(2);
});
afterEach(async () => {
  await close();
  await remove();
});

const call = async (tool: string, args: object) => Object((await client.callTool(tool, { ...args })).structured);
const store = (more: object = {}) =>
  call('process_transcript', { user_id: 'ann', conversation_history: history, wait: false, ...more });

/** Waits for the state, not for a time. */
async function untilDone(job_id: string) {
  for (;;) {
    const job = await call('get_job', { job_id });
    if (job.state === 'done') return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a conversation that is read later', () => {
  it('is answered with a job, which saves the same memories', async () => {
    const answer = await store();
    expect(answer).toMatchObject({ success: true, memories_saved: 0, saved_memories: [] });
    const job = await untilDone(answer.job_id);
    expect(job).toMatchObject({ kind: 'store_conversation', attempts: 1, progress: { done: 1, total: 1 } });
    expect(job.result).toMatchObject({ memories_saved: 1, message: 'Saved 1 memory, rated by written rules.' });
    expect(job.result.memory_ids).toEqual([...memories.documents.keys()]);
    const waited = await call('process_transcript', { user_id: 'ann', conversation_history: history });
    expect(waited).toMatchObject({ memories_saved: 0, memories_known: 1 });
    expect(waited).not.toHaveProperty('job_id');
  });

  it('has the time of the call for its date, whenever it is read', async () => {
    await close();
    await open(0);
    const { job_id: waiting } = await store();
    expect(await call('get_job', { job_id: waiting })).toMatchObject({ state: 'queued', attempts: 0 });
    await close();
    await open(1);
    await untilDone(waiting);
    const [document] = memories.documents.values();
    expect(document?.metadata).toMatchObject({ occurred_at: CALLED_AT, occurred_at_source: 'call' });
  });

  it('is refused at once as it is without a job, and makes none', async () => {
    const one = (id: string) =>
      JSON.stringify({ conversation_id: id, turns: [{ speaker: 'Ann', text: 'I like tea.' }] });
    const refused = await client.callTool('process_transcript', {
      user_id: 'ann',
      conversation_history: `[${one('tea')}, ${one('cat')}]`,
      transcript_id: 'both',
      wait: false,
    });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('transcript_id names one') });
    expect(await call('list_jobs', { user_id: 'ann' })).toEqual({ jobs: [] });
    expect(existsSync(join(folder, 'jobs.db'))).toBe(false);
  });

  it('gives the same job for the same key', async () => {
    const [{ job_id: first }, { job_id: second }] = await Promise.all([
      store({ idempotency_key: 'import-7' }),
      store({ idempotency_key: 'import-7' }),
    ]);
    expect(second).toBe(first);
    expect((await store({ user_id: 'bob', idempotency_key: 'import-7' })).job_id).not.toBe(first);
    expect((await call('list_jobs', { user_id: 'ann' })).jobs).toHaveLength(1);
  });

  it('is only estimated by a dry run', async () => {
    expect(await store({ dry_run: true })).not.toHaveProperty('job_id');
    expect(await call('list_jobs', { user_id: 'ann' })).toEqual({ jobs: [] });
  });
});

describe('jobs', () => {
  it("are a user's own", async () => {
    const { job_id: job } = await store();
    await untilDone(job);
    for (const tool of ['get_job', 'retry_job', 'cancel_job']) {
      expect(await client.callTool(tool, { user_id: 'bob', job_id: job })).toMatchObject({
        isError: true,
        text: `there is no job "${job}" of this user`,
      });
    }
    expect(await call('list_jobs', { user_id: 'bob' })).toEqual({ jobs: [] });
  });

  it('are cancelled and tried again, and say why they cannot be', async () => {
    await close();
    await open(0);
    const { job_id } = await store();
    expect(await call('cancel_job', { job_id })).toMatchObject({ job_id, state: 'cancelled' });
    expect((await call('list_jobs', { user_id: 'ann', state: 'queued' })).jobs).toEqual([]);
    expect(await call('retry_job', { user_id: 'ann', job_id })).toMatchObject({ job_id, state: 'queued' });
    expect((await client.callTool('retry_job', { job_id })).text).toBe(
      `job "${job_id}" is queued: only one that failed, is dead, was cancelled or waits for the budget can be tried again`,
    );
    expect(await call('count_jobs', {})).toMatchObject({ jobs: { queued: 1, cancelled: 0 } });
    const registry = new Registry();
    await addJobMetrics(registry, jobs.queue.count);
    expect(await registry.metrics()).toContain('contextloom_jobs{state="queued"} 1');
  });
});

it('keeps nothing that is marked as private: not in the memories, and not in the file of the jobs', async () => {
  const conversation_history = [
    { role: 'user', content: 'I moved to Leith. <private>My PIN is walnut.</private>' },
    { role: 'user', content: 'Off the record: the walnut is mine.' },
    { role: 'assistant', content: 'How is Leith?' },
  ];
  const { job_id } = await store({ conversation_history });
  await untilDone(job_id);
  await call('process_transcript', { user_id: 'bea', conversation_history });
  const text = 'Cat: I sail.\nCat: <private>walnut</private> and tea.';
  const texts = await store({ user_id: 'cat', conversation_history: text });
  await untilDone(texts.job_id);
  const kept = JSON.stringify([...memories.documents.values()]);
  expect(kept).toContain('I moved to Leith. [private]');
  expect(kept).toContain('[private] and tea.');
  expect(kept).not.toContain('walnut');
  await jobs.close();
  const files = (await readdir(folder)).filter((name) => name.startsWith('jobs.db'));
  for (const name of files) expect((await readFile(join(folder, name))).includes('walnut')).toBe(false);
  await open(2);
});
