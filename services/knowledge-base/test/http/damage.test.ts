import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openTemporary, startService, type TestService } from '../support/service.ts';

const PAGE_BYTES = 4_096;
const calls = [
  ['POST', '/search', { query: 'tea' }],
  ['POST', '/documents/list', {}],
  ['GET', '/documents/d0', undefined],
  ['PATCH', '/documents/d0', { content: 'black tea' }],
  ['DELETE', '/documents/d0', undefined],
  ['GET', '/stats', undefined],
  ['POST', '/add', { content: 'green tea' }],
  ['POST', '/save', {}],
  ['POST', '/rebuild_index', {}],
  ['GET', '/health', undefined],
] as const;
const refused = {
  status: 503,
  detail: 'the store is damaged: stop the service, put back a copy of its file and start it again',
};

let service: TestService | undefined;
afterEach(() => service?.remove());

/** Starts the service over a store of thirty documents whose file something has changed meanwhile. */
async function startDamaged(damage: (bytes: Buffer) => void): Promise<TestService> {
  const { knowledgeBase, dataDir } = await openTemporary();
  const metadata = { note: `the beginning${'.'.repeat(5_000)}the end` };
  const documents = Array.from({ length: 30 }, (_, n) => ({
    doc_id: `d${n}`,
    content: `tea ${n}`,
    tags: [],
    metadata,
  }));
  await knowledgeBase.add(documents);
  await knowledgeBase.close();
  const file = join(dataDir, 'knowledge-base.sqlite');
  const bytes = await readFile(file);
  damage(bytes);
  await writeFile(file, bytes);
  service = await startService('strict', undefined, dataDir);
  return service;
}

/**
 * The first health check starts the look through all pages and waits a second for it. On a busy machine that takes longer, and
 * a later check tells.
 */
async function untilRefused({ ask }: TestService): Promise<object> {
  for (;;) {
    const { status, json } = await ask('GET', '/health');
    if (status !== 200 && !String(json.detail).includes('did not answer')) return { status, detail: json.detail };
    await delay(100);
  }
}

async function askAll({ ask }: TestService) {
  const answers: object[] = [];
  for (const [method, path, body] of calls) {
    const { status, json } = await ask(method, path, body);
    answers.push({ path, status, detail: json.detail });
  }
  return answers;
}

describe('a damaged file (original faults: /health 200 while /search 503, /rebuild_index 500)', () => {
  it('is found by a health check, whichever page is damaged; all calls then say what to do', async () => {
    // The last document, which nothing reads that asks for another.
    const damaged = await startDamaged((bytes) => {
      const start = Math.floor(bytes.indexOf('tea 29') / PAGE_BYTES) * PAGE_BYTES;
      bytes.fill(0xff, start, start + PAGE_BYTES);
    });
    expect(await untilRefused(damaged)).toEqual(refused);
    expect(await askAll(damaged)).toEqual(calls.map(([, path]) => ({ path, ...refused })));
  });

  it('is known from the first call on that meets it, where no check of pages finds it', async () => {
    const damaged = await startDamaged((bytes) => {
      for (let at = bytes.indexOf('the end'); at !== -1; at = bytes.indexOf('the end', at + 1)) bytes[at] = 0x0a;
    });
    expect(await askAll(damaged)).toEqual(calls.map(([, path]) => ({ path, ...refused })));
  });

  it.each(['/rebuild_index', '/documents/list'])('is found by %s as well', async (path) => {
    const damaged = await startDamaged((bytes) => {
      for (let at = bytes.indexOf('the end'); at !== -1; at = bytes.indexOf('the end', at + 1)) bytes[at] = 0x0a;
    });
    const { status, json } = await damaged.ask('POST', path, {});
    expect({ status, detail: json.detail }).toEqual(refused);
    expect((await damaged.ask('GET', '/health')).status).toBe(503);
  });
});
