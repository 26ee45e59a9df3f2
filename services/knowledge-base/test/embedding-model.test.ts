import { describe, expect, it } from '@jest/globals';

import { ask, cleanups, documents, makeFolder, open, startModel, toEnv } from './support/embedding-model.ts';

describe('a knowledge base with an embedding model', () => {
  it('has its documents and queries embedded by the endpoint', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    expect(await ask(knowledgeBase, '我家的猫叫什么？')).toEqual(['d0']);
    const embedded = endpoint.requests.flatMap(({ body }) => [body.input ?? []].flat());
    expect(embedded).toEqual(['size', ...documents.map(({ content }) => content), '我家的猫叫什么？']);
  });

  it('finds by words when the endpoint is gone, and says so in the log', async () => {
    const endpoint = await startModel();
    const knowledgeBase = await open(await makeFolder(), toEnv(endpoint));
    await knowledgeBase.add(documents);
    await endpoint.close();
    cleanups.splice(0, 1);
    expect(await ask(knowledgeBase, 'whose dog is Rex')).toEqual(['d1']);
    expect(await ask(knowledgeBase, '猫')).toEqual(['d0']);
    await expect(knowledgeBase.add([{ content: 'Tom is a cat', tags: [], metadata: {} }])).rejects.toMatchObject({
      code: 'unavailable',
    });
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
});
