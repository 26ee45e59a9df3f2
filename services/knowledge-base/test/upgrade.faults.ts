import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toRounds } from '@contextloom/testing/rounds';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { type Running, serviceFile, start, untilListening } from './support/children.ts';
import { makeFolder } from './support/service.ts';
import { embedder, toDocument, toWrites } from './support/stores.ts';

const COUNT = toRounds(2_000, 6_000);
const BATCH = 500;
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

const running: Running[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A store of an earlier version, with an earlier lexical embedder. */
async function fillBefore(): Promise<string> {
  const folder = await makeFolder();
  folders.push(folder);
  const file = join(folder, 'knowledge-base.sqlite');
  const identity = { ...embedder.identity, model: 'lexical-v0' };
  const store = await openSqliteStore({ file, embedder: identity, indexVersion: 1 });
  for (let from = 0; from < COUNT; from += BATCH) {
    const documents = Array.from({ length: BATCH }, (_, at) => toDocument(`d-${from + at}`, `word${from + at} 第几号`));
    await store.put(await toWrites(...documents), times);
  }
  await store.close();
  return folder;
}

async function startService(folder: string) {
  const service = start(serviceFile, [], { KB_PORT: '0', KB_DATA_DIR: folder, LOG_LEVEL: 'info' });
  running.push(service);
  return { service, url: await untilListening(service) };
}

interface Progress {
  readonly documents: number;
  readonly done: number;
}

async function readProgress(url: string): Promise<Progress | undefined> {
  const answer = await fetch(`${url}/health`);
  expect(answer.status).toBe(200);
  const { store } = (await answer.json()) as { store: { rebuilding?: Progress } };
  return store.rebuilding;
}

async function expectFound(url: string, id: string): Promise<void> {
  const body = JSON.stringify({ query: id.replace('d-', 'word'), top_k: 1 });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/search`, { method: 'POST', body, headers });
  expect(await answer.json()).toMatchObject({ success: true, results: [{ id }] });
}

describe('a knowledge base that is killed while its index is made again after an update', () => {
  it('answers before, goes on with two services at once, and is whole in the end', async () => {
    const folder = await fillBefore();
    const first = await startService(folder);
    for (let done = 0; done === 0; done = (await readProgress(first.url))?.done ?? COUNT) {
      await expectFound(first.url, `d-${COUNT - 1}`);
    }
    first.service.child.kill('SIGKILL');
    await first.service.ended;

    const both = [await startService(folder), await startService(folder)];
    const [seen] = await Promise.all(both.map(({ url }) => readProgress(url)));
    for (const { url } of both) {
      await expectFound(url, 'd-17');
      while ((await readProgress(url)) !== undefined) await sleep(100);
      await expectFound(url, 'd-1234');
    }
    // Undefined where the rest was done before the question.
    if (seen !== undefined && seen.documents > 0) expect(seen.done).toBeGreaterThan(0);
    for (const { service } of both) expect(await service.stop()).toMatchObject({ code: 0 });
  });
});
