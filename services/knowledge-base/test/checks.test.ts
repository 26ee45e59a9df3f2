import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettings, silentLog } from '@contextloom/runtime';
import type { Check } from '@contextloom/server-kit';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkKnowledgeBase } from '../src/checks.ts';
import { serverSettings } from '../src/config.ts';
import { openLocalKnowledgeBase } from '../src/open-local.ts';
import { makeFolder as makeKeptFolder } from './support/service.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function makeFolder(): Promise<string> {
  const folder = await makeKeptFolder();
  cleanups.push(() => rm(folder, { recursive: true }));
  return folder;
}

const parts = { clock: () => new Date(), newId: randomUUID, log: silentLog };
const read = (env: Record<string, string>) => readSettings(serverSettings, env).values;
const check = (env: Record<string, string>): Promise<readonly Check[]> =>
  checkKnowledgeBase({ ...read(env), ...parts });

async function fill(env: Record<string, string>): Promise<void> {
  const knowledgeBase = await openLocalKnowledgeBase({ ...read(env), ...parts });
  await knowledgeBase.add([{ doc_id: 'd', content: '我家的猫叫团子。', tags: [], metadata: {} }]);
  await knowledgeBase.close();
}

describe('the checks of the knowledge base', () => {
  it('find a store that opens, and no embedding model where none is needed', async () => {
    const dataDir = await makeFolder();
    expect(await check({ KB_DATA_DIR: dataDir })).toEqual([
      { name: 'store', status: 'ok', detail: `opens: ${dataDir}` },
      { name: 'embeddings', status: 'off', detail: 'lexical, needs no model' },
    ]);
  });

  it('tell which embedder filled a store that another one is to use', async () => {
    const dataDir = await makeFolder();
    await fill({ KB_DATA_DIR: dataDir });
    const [store, embeddings] = await check({ KB_DATA_DIR: dataDir, EMBEDDING_DIMENSIONS: '128' });
    expect(store).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/filled by the embedder lexical lexical-v2 with 384 dimensions.*dist\/reembed\.js/),
    });
    expect(embeddings?.status).toBe('off');
  });

  it('tell of a folder that holds something else', async () => {
    const dataDir = await makeFolder();
    await writeFile(join(dataDir, 'knowledge-base.sqlite'), 'This is no database. '.repeat(500));
    const [store] = await check({ KB_DATA_DIR: dataDir });
    expect(store).toMatchObject({ status: 'failed', detail: expect.stringContaining(`(KB_DATA_DIR is ${dataDir})`) });
  });

  it('have one text embedded by the model that is set, and say why when that does not work', async () => {
    const endpoint = await startScriptedOpenAi({ dimensions: 48 });
    cleanups.push(() => endpoint.close());
    const env = {
      KB_DATA_DIR: await makeFolder(),
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'scripted-embedding',
      EMBEDDING_BASE_URL: endpoint.url,
      EMBEDDING_DIMENSIONS: '48',
    };
    expect(await check({ ...env, EMBEDDING_API_KEY: endpoint.apiKey })).toMatchObject([
      { name: 'store', status: 'ok' },
      {
        name: 'embeddings',
        status: 'ok',
        detail: expect.stringMatching(/^openai scripted-embedding, 48 dimensions; first text .* ms, a query .* ms/),
      },
    ]);
    expect(endpoint.requests.map(({ body }) => [body.input].flat().length)).toEqual([1, 1, 16]);
    expect(await check({ ...env, EMBEDDING_API_KEY: 'wrong' })).toMatchObject([
      { name: 'store', status: 'ok' },
      { name: 'embeddings', status: 'failed', detail: expect.stringContaining('EMBEDDING_API_KEY') },
    ]);
  });
});
