import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '@contextloom/testing/llm';
import { describe, expect, it } from '@jest/globals';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import { ask, cleanups, documents, makeFolder, open, startModel, toEnv } from './support/embedding-model.ts';

/** An answer with one vector, whatever it holds, for each of the documents. */
const vectorsOf = (embedding: string): Step => ({
  kind: 'rubbish',
  body: `{"data": [${documents.map((_, index) => `{"index": ${index}, "embedding": ${embedding}}`).join(', ')}]}`,
});

async function untilEmbedded(knowledgeBase: KnowledgeBase): Promise<void> {
  while ((await knowledgeBase.stats()).waiting_count !== undefined) await sleep(10);
}

describe('a knowledge base with an embedding model', () => {
  it('has its documents and queries embedded by the endpoint', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    expect(await ask(knowledgeBase, '我家的猫叫什么？')).toEqual(['d0']);
    const embedded = endpoint.requests.flatMap(({ body }) => [body.input ?? []].flat());
    expect(embedded).toEqual(['size', ...documents.map(({ content }) => content), '我家的猫叫什么？']);
  });

  it('puts a text with the rare word of a question before texts that are nearer', async () => {
    const near: Readonly<Record<string, number>> = {
      'The weeks at sea were planned with care.': 0.66,
      'Ann sailed to Unst.': 0.45,
    };
    const toVector = (text: string): readonly number[] => {
      const cosine = near[text] ?? (text.endsWith('?') ? 1 : 0);
      return [cosine, Math.sqrt(1 - cosine ** 2), ...Array(46).fill(0)];
    };
    const endpoint = await startModel({
      embeddings: ({ body }) => {
        const data = [body.input ?? []].flat().map((text, index) => ({ index, embedding: toVector(String(text)) }));
        return { kind: 'rubbish', body: JSON.stringify({ data }) };
      },
    });
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(Object.keys(near).map((content) => ({ doc_id: content, content, tags: [], metadata: {} })));
    expect(await ask(knowledgeBase, 'Which journey went as far as Unst?')).toEqual(['Ann sailed to Unst.']);
  });

  it('finds by words when the endpoint is gone, and says so in the log', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    await endpoint.close();
    cleanups.splice(0, 1);
    expect(await ask(knowledgeBase, 'whose dog is Rex')).toEqual(['d1']);
    expect(await ask(knowledgeBase, '猫')).toEqual(['d0']);
    await knowledgeBase.add([{ doc_id: 'd2', content: 'Tom is a cat', tags: [], metadata: {} }]);
    expect(await ask(knowledgeBase, 'who is Tom')).toEqual(['d2']);
    expect(await knowledgeBase.stats()).toMatchObject({ document_count: 3, vector_count: 2, waiting_count: 1 });
  });

  it.each<readonly [string, Step]>([
    ['an error', { kind: 'error', status: 500, retryAfter: '0' }],
    ['base64 text', vectorsOf('"zczMPc3MTD4="')],
    ['zeros', vectorsOf(JSON.stringify(Array(48).fill(0)))],
    ['numbers beyond all numbers', vectorsOf(`[${Array(48).fill('1e999').join(', ')}]`)],
    ['another number of dimensions', vectorsOf('[1, 2, 3]')],
    ['too few vectors', { kind: 'rubbish', body: '{"data": []}' }],
  ])(
    'stores no vector when the endpoint answers %s, finds by words meanwhile, and embeds when it is well again',
    async (_name, broken) => {
      let isBroken = false;
      const endpoint = await startModel({ embeddings: () => (isBroken ? broken : { kind: 'embed' }) });
      const knowledgeBase = await open(await makeFolder(), toEnv(endpoint), { embedWaitingEveryMs: 20 });
      await knowledgeBase.add([{ doc_id: 'd1', content: 'The former one', tags: [], metadata: {} }]);
      isBroken = true;
      await knowledgeBase.add(documents);
      expect(await knowledgeBase.stats()).toMatchObject({ document_count: 2, vector_count: 0, waiting_count: 2 });
      expect(await ask(knowledgeBase, 'whose dog is Rex')).toEqual(['d1']);
      expect(await ask(knowledgeBase, 'former')).toEqual([]);
      await knowledgeBase.update({ id: 'd0' }, { content: '我家的狗叫团子。' });
      expect(await ask(knowledgeBase, '狗')).toEqual(['d0']);
      isBroken = false;
      await untilEmbedded(knowledgeBase);
      expect(await knowledgeBase.stats()).not.toHaveProperty('waiting_count');
      // The vector is that of the text as it is now.
      const embedded = endpoint.requests.slice(-2).flatMap(({ body }) => [body.input ?? []].flat());
      expect(embedded).toEqual(expect.arrayContaining(['我家的狗叫团子。', documents[1]?.content]));
    },
    20_000,
  );

  it('embeds after a restart what was stored while the endpoint was away', async () => {
    let isAway = false;
    const endpoint = await startModel({
      embeddings: () => (isAway ? { kind: 'error', status: 503, retryAfter: '0' } : { kind: 'embed' }),
    });
    const folder = await makeFolder();
    const first = await open(folder, toEnv(endpoint));
    isAway = true;
    await first.add(documents);
    await first.close();
    cleanups.pop();
    isAway = false;
    const second = await open(folder, toEnv(endpoint), { embedWaitingEveryMs: 20 });
    await untilEmbedded(second);
    expect(await ask(second, 'whose dog is Rex')).toEqual(['d1']);
  });

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
});
