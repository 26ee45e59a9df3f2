import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ChatModel } from '@contextloom/llm';
import { readSettings, silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createMemoryProcessorServer } from '../../src/build-server.ts';
import { settings } from '../../src/config.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { parseHours, toFirstTime, toLocalHour } from '../../src/domain/budget/hours.ts';
import type { Usage } from '../../src/domain/extractor.ts';
import { createCountedModel } from '../../src/extraction/counted-model.ts';
import { createImportService, type ImportService } from '../../src/imports/import-service.ts';
import { createReadLater } from '../../src/imports/read-later.ts';
import { createUploads } from '../../src/imports/uploads.ts';
import type { JobRunner } from '../../src/jobs/job-runner.ts';
import { type Databases, openDatabases } from '../../src/open-databases.ts';
import { openJobs } from '../../src/open-jobs.ts';
import { openReaders } from '../../src/open-readers.ts';
import { createLazyGraphStore } from '../../src/store/lazy-graph-store.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { drawOne, labelsOf } from '../support/scripted-model.ts';

/** Days ago, so that what waits for the next day of this clock is due by the clock of the database. */
const MORNING = new Date('2026-03-02T09:30:00Z');
const NEXT_DAY = new Date('2026-03-03T00:00:00.000Z');
const films = Array.from({ length: 30 }, (_, n) => `Anna: I saw film number ${n + 1}.`).join('\n');
const notes = [{ role: 'user', content: 'We decided to keep orders in Postgres because SQLite locks up.' }];

let folder = '';
let remove = async (): Promise<void> => undefined;
let endpoint: ScriptedOpenAi;
let memories: KeptMemories;
/** Does something before or after memories are saved. */
let around: (save: () => Promise<void>) => Promise<void>;
let databases: Databases;
let jobs: JobRunner;
let imports: ImportService;
let client: TestClient;
let now = MORNING;
let ids = 0;

async function open(env: Readonly<Record<string, string>>, concurrency = 0): Promise<void> {
  const { values: config } = readSettings(settings, {
    LLM_MODEL: 'scripted',
    LLM_BASE_URL: endpoint.url,
    LLM_API_KEY: endpoint.apiKey,
    LLM_CONCURRENCY: '1',
    LLM_READ_TOKENS: '0',
    LLM_CHECK_FACTS: 'off',
    MEMORY_PROCESSOR_DATA_DIR: folder,
    TIMEZONE: 'UTC',
    ...env,
  });
  const [clock, newId, log] = [() => now, () => `id-${ids++}`, silentLog];
  databases = openDatabases({ config, clock, newId, log });
  const { noteReader, budget, ...readers } = await openReaders(config, { ...databases, clock, log });
  const processor = createMemoryProcessor({ memories, ...readers, clock });
  const graph = createLazyGraphStore(async () => undefined);
  jobs = openJobs({ databases, config, concurrency, processor, memories, graph, budget, clock, newId, log });
  const uploads = createUploads({ folder: join(folder, 'uploads'), newId: randomUUID });
  const readLater = createReadLater(jobs.queue, newId);
  imports = createImportService({ processor, memories, graph, uploads, readLater, clock, log, ...databases });
  const server = { processor, imports, noteReader, budget, jobs: jobs.queue, clock, newId, version: '0', log };
  client = await connectInMemory(createMemoryProcessorServer(server));
}

async function close(): Promise<void> {
  await client.close();
  await Promise.all([imports.close(), jobs.close()]);
  await databases.close();
}

beforeEach(async () => {
  ({ path: folder, remove } = await createFolder());
  endpoint = await startScriptedOpenAi({ chat: drawOne });
  const kept = createKeptMemories();
  around = (save) => save();
  memories = { ...kept, save: (all) => around(() => kept.save(all)) };
  now = MORNING;
});
afterEach(async () => {
  await close();
  await endpoint.close();
  await remove();
});

const call = async (tool: string, args: object) => {
  const { isError, structured, text } = await client.callTool(tool, { ...args });
  if (isError) throw new Error(text);
  return Object(structured);
};
const process = (more: object = {}) =>
  call('process_transcript', { user_id: 'anna', conversation_history: films, transcript_id: 'films', ...more });
/** How often the model was asked to read, and not how facts stand to each other. */
const reads = () => endpoint.requests.filter((request) => labelsOf(request).length > 0).length;
const countOf = (isEpisode: boolean) =>
  [...memories.documents.values()].filter(({ tags }) => tags.includes('episode') === isEpisode).length;
const toBudget = async () => (await call('count_jobs', {})).budget;

/** Waits for the state, not for a time. */
async function until(job_id: string, isMeant: (job: { state: string; reason?: string }) => boolean) {
  for (;;) {
    const job = await call('get_job', { job_id });
    if (isMeant(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Hands a file in, imports it, and answers what became of it. */
async function importFilms() {
  const data = Buffer.from(films).toString('base64');
  const { upload } = await call('upload_import', { user_id: 'anna', name: 'films.txt', data });
  const { id } = await call('start_import', { user_id: 'anna', upload });
  for (;;) {
    const [one] = (await call('list_imports', { user_id: 'anna' })).imports;
    if (one.state !== 'running') return { ...one, id };
    await new Promise(setImmediate);
  }
}

describe('an import that does not fit', () => {
  const listJobs = async () => (await call('list_jobs', { user_id: 'anna' })).jobs;

  it('is read to its end by itself once there is a budget, also by a process that starts anew', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' });
    const started = await importFilms();
    expect(started).toMatchObject({ state: 'done', failed: 1 });
    expect([countOf(true), countOf(false)]).toEqual([5, 1]);
    const reason = '4 of its pieces are to be read once there is a budget for them';
    expect(started.failures).toEqual([expect.objectContaining({ reason })]);
    const [job, ...others] = await listJobs();
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      kind: 'read_imported',
      state: 'queued',
      reason,
      next_attempt_at: NEXT_DAY.toISOString(),
    });
    expect(await toBudget()).toMatchObject({ waiting_jobs: 1 });
    await close();
    now = NEXT_DAY;
    await open({ LLM_BUDGET_TOKENS: '1000000' }, 1);
    const done = await until(job.job_id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ attempts: 1, result: { memories_saved: 8 } });
    expect(reads()).toBe(5);
    expect([countOf(true), countOf(false)]).toEqual([5, 5]);
    const [followed] = (await call('list_imports', { user_id: 'anna' })).imports;
    expect(followed).toMatchObject({ state: 'done', failed: 0, failures: [] });
    // What it read later is part of the import.
    await call('undo_import', { user_id: 'anna', id: started.id });
    expect(memories.documents.size).toBe(0);
  });

  it('is not read any more where it was taken back', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' });
    const { id } = await importFilms();
    const [job] = await listJobs();
    await call('undo_import', { user_id: 'anna', id });
    await close();
    now = NEXT_DAY;
    await open({ LLM_BUDGET_TOKENS: '1000000' }, 1);
    const done = await until(job.job_id, ({ state }) => state === 'done');
    expect(done.result).toMatchObject({ message: 'The import was taken back.', memories_saved: 0 });
    expect([reads(), memories.documents.size]).toEqual([1, 0]);
  });

  it.each([
    ['before anything of it is saved', 'before'],
    ['when some of it is saved', 'after'],
  ])('leaves nothing where it is taken back while it is read, %s', async (_name, when) => {
    await open({ LLM_BUDGET_TOKENS: '1' });
    const { id } = await importFilms();
    const [job] = await listJobs();
    await close();
    now = NEXT_DAY;
    let undone = 0;
    let opened = Promise.resolve();
    const undo = async (): Promise<void> => {
      undone += 1;
      // The job may begin before there is somebody to ask.
      await opened;
      expect((await call('get_job', { job_id: job.job_id })).state).toBe('running');
      await call('undo_import', { user_id: 'anna', id });
    };
    around = async (save) => {
      if (when === 'before' && undone === 0) await undo();
      await save();
      if (when === 'after' && undone === 0) await undo();
    };
    opened = open({ LLM_BUDGET_TOKENS: '1000000' }, 1);
    await opened;
    const done = await until(job.job_id, ({ state }) => state === 'done');
    expect(done.result).toMatchObject({ message: 'The import was taken back.', memories_saved: 0, memory_ids: [] });
    expect([undone, memories.documents.size]).toEqual([1, 0]);
    const [one] = (await call('list_imports', { user_id: 'anna' })).imports;
    expect(one).toMatchObject({ state: 'undone', failures: [] });
  });
});

describe('a budget of a day', () => {
  it('is nothing unless it is set: nothing is counted, and no file is made for it', async () => {
    await open({});
    expect(await process()).not.toHaveProperty('job_id');
    expect(reads()).toBe(5);
    expect(await call('count_jobs', {})).not.toHaveProperty('budget');
    expect(databases.hasJobs()).toBe(false);
  });

  it('has what does not fit saved, found by words, and read by a job on the next day, each piece once', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' });
    const answer = await process();
    expect(reads()).toBe(1);
    expect([countOf(true), countOf(false)]).toEqual([5, 1]);
    expect(answer.failed).toHaveLength(4);
    expect(answer.failed[0].reason).toBe('to be read: the budget of 1 tokens a day is used up');
    expect(answer.message).toContain(
      `4 pieces are to be read once there is a budget, from ${NEXT_DAY.toISOString()} on`,
    );
    const waiting = { job_id: answer.job_id, state: 'queued', attempts: 0, next_attempt_at: NEXT_DAY.toISOString() };
    expect((await call('list_jobs', { user_id: 'anna' })).jobs).toEqual([expect.objectContaining(waiting)]);
    const { tokens_used: used, ...budget } = await toBudget();
    expect(used).toBe(answer.usage.input_tokens + answer.usage.output_tokens);
    expect(budget).toEqual({ day: '2026-03-02', tokens: 1, next_at: NEXT_DAY.toISOString(), waiting_jobs: 1 });
    await close();
    now = NEXT_DAY;
    await open({ LLM_BUDGET_TOKENS: '1000000' }, 1);
    const done = await until(answer.job_id, ({ state }) => state === 'done');
    expect(done).toMatchObject({ attempts: 1, progress: { done: 5, total: 5 } });
    expect(reads()).toBe(5);
    expect([countOf(true), countOf(false)]).toEqual([5, 5]);
    expect(await toBudget()).toMatchObject({ day: '2026-03-03', waiting_jobs: 0 });
  });

  it('is used up for a process that starts anew too, also after one that was killed', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' });
    await process();
    const [killed, gone] = [databases, client];
    await open({ LLM_BUDGET_TOKENS: '1' });
    await process({ transcript_id: 'again' });
    expect(reads()).toBe(1);
    await Promise.all([killed.close(), gone.close()]);
  });

  it('does not count waiting as an attempt of a job, which retry_job begins once the budget is raised', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' }, 1);
    now = new Date();
    const { job_id } = await process({ wait: false });
    const waits = await until(job_id, ({ state, reason }) => state === 'queued' && reason !== undefined);
    expect(waits).toMatchObject({
      attempts: 0,
      reason: '4 of 5 pieces are to be read once there is a budget for them',
    });
    expect(waits.result).toMatchObject({ memories_saved: 6 });
    await close();
    await open({ LLM_BUDGET_TOKENS: '1000000' }, 1);
    expect(await call('get_job', { job_id })).toMatchObject({ state: 'queued' });
    await call('retry_job', { job_id });
    await until(job_id, ({ state }) => state === 'done');
    expect(reads()).toBe(5);
  });

  it('has a job whose pieces are all saved wait on without saving them again', async () => {
    await open({ LLM_BUDGET_TOKENS: '1' }, 1);
    const { job_id } = await process({ wait: false });
    // The clock of the database is past the time that it waits for: it is taken again, and nothing is left.
    const again = await until(job_id, ({ reason }) => reason === 'to be read: the budget of 1 tokens a day is used up');
    expect(again).toMatchObject({ state: 'queued', attempts: 0, result: { memories_saved: 6 } });
    expect(memories.batches.reduce((sum, saved) => sum + saved, 0)).toBe(6);
    expect(reads()).toBe(1);
  });

  it('bounds readings of several pieces in one call too', async () => {
    await open({ LLM_BUDGET_TOKENS: '1', LLM_READ_TOKENS: '200' });
    const answer = await process();
    expect(reads()).toBe(1);
    const read = 5 - answer.failed.length;
    expect(read).toBeGreaterThan(1);
    expect(read).toBeLessThan(5);
    expect(countOf(true)).toBe(5);
  });

  it('counts dollars by the prices that are set, and is refused without any', async () => {
    const prices = { LLM_INPUT_PRICE: '1', LLM_OUTPUT_PRICE: '1' };
    await open({ LLM_BUDGET_DOLLARS: '0.000001', ...prices });
    expect((await process()).failed[0].reason).toBe('to be read: the budget of $0.000001 a day is used up');
    const { tokens_used, dollars_used, dollars } = await toBudget();
    expect([dollars_used, dollars]).toEqual([tokens_used / 1_000_000, 0.000001]);
    await expect(open({ LLM_BUDGET_DOLLARS: '1' })).rejects.toMatchObject({ field: 'LLM_BUDGET_DOLLARS' });
  });

  it('asks only in the hours that are set', async () => {
    await open({ LLM_BUDGET_HOURS: '22-6' });
    const answer = await process();
    expect(endpoint.requests).toEqual([]);
    expect(answer.failed[0].reason).toBe("to be read: the model is asked from 22 to 6 o'clock (UTC)");
    expect(await toBudget()).toMatchObject({ hours: '22-6', tokens_used: 0, next_at: '2026-03-02T22:00:00.000Z' });
    now = new Date('2026-03-02T22:00:00Z');
    expect(await process()).not.toHaveProperty('job_id');
    expect(reads()).toBe(5);
  });

  it('leaves notes of a session to written rules', async () => {
    await open({ LLM_BUDGET_HOURS: '22-6' });
    const answer = await call('extract_project_notes', { conversation_history: notes });
    expect(answer.notes).not.toEqual([]);
    expect(answer.failed).toMatchObject([{ reason: "the model is asked from 22 to 6 o'clock (UTC)" }]);
    expect(endpoint.requests).toEqual([]);
  });
});

it('has a job whose model would be that of a caller save its pieces, and try no more', async () => {
  await open({ LLM_PROVIDER: 'sampling', LLM_BASE_URL: '', LLM_API_KEY: '' }, 1);
  const { job_id } = await process({ wait: false });
  const done = await until(job_id, ({ state }) => state === 'done');
  expect(done.result.failed[0].reason).toContain('no client is connected');
  expect([reads(), countOf(true), countOf(false)]).toEqual([0, 5, 0]);
});

it('names the setting that is none, and what is allowed', async () => {
  await open({});
  for (const [name, value, allowed] of [
    ['LLM_BUDGET_TOKENS', '0', 'must be a whole number above 0'],
    ['LLM_BUDGET_DOLLARS', 'much', 'must be a number of US dollars above 0'],
    ['LLM_BUDGET_HOURS', '22-25', 'must be two different hours of the day, such as 22-6'],
    ['TIMEZONE', 'Leith', 'must be the name of a time zone'],
  ] as const) {
    expect(() => readSettings(settings, { [name]: value })).toThrow(`${name} ${allowed}`);
  }
});

it('counts the tokens of an endpoint that tells none, and hands an answer on that could not be counted', async () => {
  await open({});
  const usage = { input: 0, output: 0 };
  const answer = { text: 'We met in Leith.', finish: 'stop', usage } as const;
  const model: ChatModel = {
    model: 'silent',
    address: 'http://127.0.0.1',
    complete: async () => answer,
    completeJson: async () => ({ kind: 'malformed', detail: 'no JSON', raw: answer.text, usage }),
  };
  const request = { messages: [{ role: 'user', content: 'Where did you meet?' }] } as const;
  const shape = { name: 'any', schema: z.object({}) };
  const counted: Usage[] = [];
  const counting = createCountedModel(model, { count: async (one) => void counted.push(one) }, silentLog);
  expect([await counting.complete(request), await counting.completeJson(request, shape)]).toMatchObject([
    answer,
    { kind: 'malformed' },
  ]);
  expect(counted).toEqual(Array(2).fill({ calls: 1, inputTokens: 5, outputTokens: 6 }));
  const failing = async () => Promise.reject(new Error('the disk is full'));
  expect(await createCountedModel(model, { count: failing }, silentLog).complete(request)).toBe(answer);
});

describe('the hours of a budget', () => {
  it.each([
    ['22-6', { from: 22, to: 6 }],
    ['0-24', undefined],
    ['09-17', { from: 9, to: 17 }],
    ['18-24', { from: 18, to: 24 }],
    ['6-6', undefined],
    ['24-6', undefined],
    ['night', undefined],
  ])('reads %s', (text, hours) => {
    expect(parseHours(text)).toEqual(hours);
  });

  it.each([
    ['Asia/Shanghai', '2026-03-02T16:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-02T18:15:00.000Z'],
    ['America/New_York', '2026-03-03T05:00:00.000Z'],
  ])('finds where the next day of %s begins', (zone, begins) => {
    const { day } = toLocalHour(MORNING, zone);
    expect(toFirstTime(MORNING, zone, (time) => time.day !== day).toISOString()).toBe(begins);
  });

  it('goes by the clock that people change', () => {
    const before = new Date('2026-03-29T00:30:00Z');
    expect(toFirstTime(before, 'Europe/Paris', ({ hour }) => hour === 3).toISOString()).toBe(
      '2026-03-29T01:00:00.000Z',
    );
  });
});
