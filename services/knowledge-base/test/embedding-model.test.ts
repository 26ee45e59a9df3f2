import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/llm/testing';
import { readSettings, silentLog } from '@contextloom/mcp-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { storeSettings } from '../src/config.ts';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import { openLocalKnowledgeBase } from '../src/open-local.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function startModel(options: Parameters<typeof startScriptedOpenAi>[0] = {}): Promise<ScriptedOpenAi> {
  const endpoint = await startScriptedOpenAi({ dimensions: 48, ...options });
  cleanups.push(() => endpoint.close());
  return endpoint;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-kb-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(dataDir: string, env: Record<string, string>): Promise<KnowledgeBase> {
  const knowledgeBase = await openLocalKnowledgeBase({
    ...readSettings(storeSettings, { KB_DATA_DIR: dataDir, ...env }).values,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
  });
  cleanups.push(() => knowledgeBase.close());
  return knowledgeBase;
}

const toEnv = ({ url, apiKey }: ScriptedOpenAi): Record<string, string> => ({
  EMBEDDING_PROVIDER: 'openai',
  EMBEDDING_MODEL: 'scripted-embedding',
  EMBEDDING_BASE_URL: url,
  EMBEDDING_API_KEY: apiKey,
});
const documents = ['我家的猫叫团子，今年三岁。', 'Rex is the dog of the baker.'].map((content, at) => ({
  doc_id: `d${at}`,
  content,
  tags: [],
  metadata: {},
}));
const ask = async (knowledgeBase: KnowledgeBase, query: string) =>
  (await knowledgeBase.search({ query, top_k: 1 })).map(({ id }) => id);

/** Runs the command in a process of its own. */
function reembed(dataDir: string, env: Record<string, string>) {
  const file = fileURLToPath(new URL('../dist/reembed.js', import.meta.url));
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...process.env, KB_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env }, timeout: 60_000 };
    execFile(process.execPath, [file], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('a knowledge base with an embedding model', () => {
  it('has its documents and queries embedded by the endpoint', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    expect(await ask(knowledgeBase, '团子几岁了？')).toEqual(['d0']);
    const embedded = endpoint.requests.flatMap(({ body }) => [body.input ?? []].flat());
    expect(embedded).toEqual(['size', ...documents.map(({ content }) => content), '团子几岁了？']);
  });

  it('finds by words when the endpoint is gone, and says so in the log', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    await endpoint.close();
    cleanups.splice(0, 1);
    expect(await ask(knowledgeBase, 'whose dog is Rex')).toEqual(['d1']);
    expect(await ask(knowledgeBase, '猫')).toEqual(['d0']);
    await expect(knowledgeBase.add(documents)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['base64 text', '"zczMPc3MTD4="'],
    ['zeros', JSON.stringify(Array(48).fill(0))],
    ['numbers beyond all numbers', `[${Array(48).fill('1e999').join(', ')}]`],
    ['nothing', '[]'],
  ])(
    'stores nothing when the endpoint answers %s for a vector, and finds by words meanwhile',
    async (_name, embedding) => {
      let isBroken = false;
      const answers = documents.map((_, index) => `{"index": ${index}, "embedding": ${embedding}}`);
      const endpoint = await startModel({
        embeddings: () =>
          isBroken ? { kind: 'rubbish', body: `{"data": [${answers.join(', ')}]}` } : { kind: 'embed' },
      });
      const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
      await knowledgeBase.add([{ doc_id: 'kept', content: 'The kept one', tags: [], metadata: {} }]);
      isBroken = true;
      await expect(knowledgeBase.add(documents)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/no vector of numbers.*EMBEDDING_MODEL/),
      });
      expect(await knowledgeBase.stats()).toMatchObject({ document_count: 1, vector_count: 1 });
      expect(await ask(knowledgeBase, 'kept')).toEqual(['kept']);
      isBroken = false;
      await knowledgeBase.add(documents);
      expect((await knowledgeBase.stats()).document_count).toBe(3);
    },
  );

  it.each([
    ['has lost its model', { kind: 'error', status: 404 }],
    ['says nothing', { kind: 'hang' }],
  ] as const)(
    'starts while the endpoint %s, over a store that knows the size of its vectors, and adds once it is back (original fault: could not start)',
    async (_name, away) => {
      let isAway = false;
      const endpoint = await startModel({ embeddings: () => (isAway ? away : { kind: 'embed' }) });
      const folder = await makeFolder();
      await (await open(folder, toEnv(endpoint))).add(documents);
      isAway = true;
      const knowledgeBase = await open(folder, toEnv(endpoint));
      expect(await ask(knowledgeBase, 'whose dog is Rex')).toEqual(['d1']);
      expect(await knowledgeBase.health()).toMatchObject({ status: 'running' });
      isAway = false;
      await knowledgeBase.add([{ doc_id: 'late', content: 'The late one', tags: [], metadata: {} }]);
      expect(await knowledgeBase.stats()).toMatchObject({ document_count: 3, vector_count: 3 });
    },
  );

  it('does not start without the endpoint where nothing tells the size: an empty store, or one of another model', async () => {
    let isAway = false;
    const down = { kind: 'error', status: 400 } as const; // Not tried again.
    const endpoint = await startModel({ embeddings: () => (isAway ? down : { kind: 'embed' }) });
    const folder = await makeFolder();
    const knowledgeBase = await open(folder, toEnv(endpoint));
    isAway = true;
    await expect(open(folder, toEnv(endpoint))).rejects.toMatchObject({ code: 'unavailable' });
    isAway = false;
    await knowledgeBase.add(documents);
    isAway = true;
    await expect(open(folder, { ...toEnv(endpoint), EMBEDDING_MODEL: 'other' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(open(folder, toEnv(endpoint))).resolves.toBeDefined();
  });

  it('does not start with a wrong key, whatever the store knows', async () => {
    const endpoint = await startModel();
    const folder = await makeFolder();
    await (await open(folder, toEnv(endpoint))).add(documents);
    await expect(open(folder, { ...toEnv(endpoint), EMBEDDING_API_KEY: 'wrong' })).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('EMBEDDING_API_KEY'),
    });
  });

  it('refuses a store of another provider, model or dimension, and names the command that fills it again', async () => {
    const folder = await makeFolder();
    const lexical = await open(folder, {});
    await lexical.add(documents);
    await lexical.close();
    cleanups.pop();
    const endpoint = await startModel();
    for (const env of [toEnv(endpoint), { EMBEDDING_DIMENSIONS: '128' }]) {
      await expect(open(folder, env)).rejects.toThrow(
        /was filled by the embedder lexical lexical-v2 with 384 dimensions.* run node services\/knowledge-base\/dist\/reembed\.js/,
      );
    }
  });

  it('is filled again by the command, which pays for no document twice when it is cut off', async () => {
    const folder = await makeFolder();
    const lexical = await open(folder, {});
    const many = Array.from({ length: 200 }, (_, n) => ({
      ...{ doc_id: `m${n}`, content: `text number ${n}`, tags: [], metadata: {} },
    }));
    await lexical.add(many);
    await lexical.close();
    cleanups.pop();
    let isBroken = true;
    const endpoint = await startModel({
      embeddings: (_request, index) => (isBroken && index > 1 ? { kind: 'error', status: 401 } : { kind: 'embed' }),
    });
    const first = await reembed(folder, toEnv(endpoint));
    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/check EMBEDDING_API_KEY.*goes on where this stopped/),
    });
    isBroken = false;
    const refused = [endpoint.requests.at(-1)?.body.input ?? []].flat().length;
    const second = await reembed(folder, toEnv(endpoint));
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('with 48 dimensions: 200 documents') });
    // One text a run asks for the size of the vectors.
    const texts = endpoint.requests.flatMap(({ body }) => [body.input ?? []].flat()).filter((text) => text !== 'size');
    expect(texts.length - refused).toBe(200);
    const knowledgeBase = await open(folder, toEnv(endpoint));
    expect(await ask(knowledgeBase, 'text number 150')).toEqual(['m150']);
  });
});
