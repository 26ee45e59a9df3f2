import { describe, expect, it } from '@jest/globals';
import { reembedFile, start } from './support/children.ts';
import { ask, cleanups, makeFolder, open, startModel, toEnv } from './support/embedding-model.ts';

describe('a knowledge base with an embedding model', () => {
  it('is filled again by the command, which pays for no document twice when it is cut off', async () => {
    const folder = await makeFolder();
    const lexical = await open(folder, {});
    const many = Array.from({ length: 200 }, (_, n) => ({
      doc_id: `m${n}`,
      content: `text number ${n}`,
      tags: [],
      metadata: {},
    }));
    await lexical.add(many);
    await lexical.close();
    cleanups.pop();
    let isBroken = true;
    const endpoint = await startModel({
      embeddings: (_request, index) => (isBroken && index > 1 ? { kind: 'error', status: 401 } : { kind: 'embed' }),
    });
    const first = await start(reembedFile, [], { KB_DATA_DIR: folder, LOG_LEVEL: 'silent', ...toEnv(endpoint) }).ended;
    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/check EMBEDDING_API_KEY.*goes on where this stopped/),
    });
    isBroken = false;
    const refused = [endpoint.requests.at(-1)?.body.input ?? []].flat().length;
    const second = await start(reembedFile, [], { KB_DATA_DIR: folder, LOG_LEVEL: 'silent', ...toEnv(endpoint) }).ended;
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('with 48 dimensions: 200 documents') });
    // One text a run asks for the size of the vectors.
    const texts = endpoint.requests.flatMap(({ body }) => [body.input ?? []].flat()).filter((text) => text !== 'size');
    expect(texts.length - refused).toBe(200);
    const knowledgeBase = await open(folder, toEnv(endpoint));
    expect(await ask(knowledgeBase, 'text number 150')).toEqual(['m150']);
  });
});
