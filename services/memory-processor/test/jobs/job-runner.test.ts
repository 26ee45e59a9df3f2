import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Job, JobQueue } from '../../src/domain/jobs/job-queue.ts';
import { createJobRunner, type JobHandler, type JobRunner, type Worked } from '../../src/jobs/job-runner.ts';
import { sqliteJobTables } from '../../src/store/jobs/job-tables.ts';
import { createSqlJobQueue } from '../../src/store/jobs/sql-job-queue.ts';
import { openSqliteDatabase } from '../../src/store/sql/sqlite-database.ts';
import { createFolder } from '../support/knowledge-base.ts';

const worked: Worked = {
  result: {
    message: 'done',
    extractor: { kind: 'rules', name: 'rules' },
    memories_extracted: 0,
    memories_saved: 0,
    memory_ids: [],
  },
};

let file = '';
const openQueue = (): JobQueue => createSqlJobQueue(openSqliteDatabase(file, sqliteJobTables));
let remove = async (): Promise<void> => undefined;
let queue: JobQueue;
const runners: JobRunner[] = [];

beforeEach(async () => {
  const folder = await createFolder();
  remove = folder.remove;
  file = join(folder.path, 'jobs.db');
  queue = openQueue();
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.close()));
  await queue.close();
  await remove();
});

interface Started {
  readonly concurrency?: number;
  readonly leaseMs?: number;
  readonly isOther?: boolean;
}

/** A worker over the file, as a process of its own has one. */
function start(handler: JobHandler, { concurrency = 2, leaseMs = 60_000 }: Started = {}): JobRunner {
  const options = { concurrency, leaseMs, pollMs: 20, newId: randomUUID, random: () => 0, log: silentLog };
  const runner = createJobRunner({ ...options, queue: openQueue(), handlers: { store: handler } });
  runners.push(runner);
  return runner;
}

const add = (to: JobQueue, userId: string, text = ''): Promise<Job> =>
  to.add({ id: randomUUID(), userId, kind: 'store', payload: { text } });

/** Waits for the state, not for a time. */
async function until(id: string, ...states: string[]): Promise<Job> {
  for (;;) {
    const job = await queue.find(id, undefined);
    if (job !== undefined && states.includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Work that waits until it is let go, or told to stop. */
function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handler: JobHandler = async (_claim, { signal, onProgress }) => {
    onProgress(1, 2);
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await Promise.race([opened, stopped]);
    return signal.aborted ? { ...worked, unfinished: 'stopped' } : worked;
  };
  return { open, handler };
}

it('does what it is given and what others add, and tells how far it came', async () => {
  const runner = start(async (_claim, { onProgress }) => {
    onProgress(3, 3);
    return worked;
  });
  const own = await add(runner.queue, 'ann');
  const others = await add(queue, 'bob');
  expect(await until(own.id, 'done')).toMatchObject({ attempts: 1, progress: { done: 3, total: 3 }, outcome: worked });
  expect(await until(others.id, 'done')).toMatchObject({ attempts: 1 });
});

it("lets one user's work stop nobody else's", async () => {
  const { open, handler } = createGate();
  const runner = start((claim, options) =>
    claim.userId === 'ann' ? handler(claim, options) : Promise.resolve(worked),
  );
  const many = await Promise.all([1, 2, 3].map(() => add(runner.queue, 'ann')));
  const ofBob = await add(runner.queue, 'bob');
  await until(ofBob.id, 'done');
  open();
  for (const { id } of many) await until(id, 'done');
});

it('tries again later what a further attempt may mend, and no more what it cannot', async () => {
  const errors = [
    new ContextloomError('unavailable', 'the knowledge base did not answer'),
    new Error('secret words of a database'),
    new ContextloomError('invalid', 'there is no turn in it'),
  ];
  const runner = start(async ({ payload }) => {
    throw errors[Number(payload['text'])];
  });
  const [away, broken, wrong] = await Promise.all(['0', '1', '2'].map((at) => add(runner.queue, `user-${at}`, at)));
  const failed = await until(String(away?.id), 'failed');
  expect(failed).toMatchObject({ reason: 'the knowledge base did not answer', attempts: 1 });
  expect(failed.runAfter).toBeGreaterThan(failed.createdAt + 5_000);
  expect((await until(String(broken?.id), 'failed')).reason).not.toContain('secret');
  expect(await until(String(wrong?.id), 'dead')).toMatchObject({ reason: 'there is no turn in it' });
});

it('keeps what came of an attempt that has to be made once more', async () => {
  const runner = start(async () => ({ ...worked, unfinished: 'the model could not be asked' }));
  const { id } = await add(runner.queue, 'ann');
  expect(await until(id, 'failed')).toMatchObject({ reason: 'the model could not be asked', outcome: worked });
});

it('ends what is cancelled while it is under way, here and by another process', async () => {
  const { handler } = createGate();
  const here = start(handler, { leaseMs: 300 });
  for (const by of [here.queue, queue]) {
    const { id } = await add(here.queue, 'ann');
    await until(id, 'running');
    expect(await by.cancel(id, 'ann')).toMatchObject({ state: 'cancelled' });
    // Its user's next job can begin only once nothing is done for this one.
    const next = await add(here.queue, 'ann');
    await until(next.id, 'running');
    await by.cancel(next.id, 'ann');
  }
});

it('hands back what is under way when it is closed, and another goes on', async () => {
  const { handler } = createGate();
  const runner = start(handler);
  const { id } = await add(runner.queue, 'ann');
  await until(id, 'running');
  await runner.close();
  expect(await queue.find(id, 'ann')).toMatchObject({ state: 'queued', attempts: 0 });
  start(async () => worked);
  expect(await until(id, 'done')).toMatchObject({ attempts: 1 });
});

it('renews its lease while it works, and tells with it how far it is', async () => {
  const { open, handler } = createGate();
  start(handler, { leaseMs: 300 });
  const { id } = await add(queue, 'ann');
  while ((await until(id, 'running')).progress.done === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await until(id, 'running')).progress).toEqual({ done: 1, total: 2 });
  open();
  await until(id, 'done');
});

it('ends the work of a user who is forgotten before the receipt is written', async () => {
  const { handler } = createGate();
  const ended: string[] = [];
  const runner = start(async (claim, options) => {
    const came = await handler(claim, options);
    ended.push('work');
    return came;
  });
  const { id } = await add(runner.queue, 'ann');
  await until(id, 'running');
  const { erased } = await runner.queue.forget('ann', false);
  expect(ended).toEqual(['work']);
  expect(erased).toEqual([{ what: 'jobs', count: 1 }]);
});

it('leaves all to other processes when it is told so', async () => {
  const none = start(async () => worked, { concurrency: 0 });
  const { id } = await add(none.queue, 'ann');
  await none.close();
  expect(await queue.find(id, 'ann')).toMatchObject({ state: 'queued' });
});
