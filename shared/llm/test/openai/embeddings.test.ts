import { cosineSimilarity } from '@contextloom/retrieval';
import { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEmbedder, type EmbedderSettings } from '../../src/index.ts';

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

async function open(options: ScriptedOpenAiOptions = {}, settings: Partial<EmbedderSettings> = {}) {
  const endpoint = await startScriptedOpenAi(options);
  endpoints.push(endpoint);
  const { url: baseUrl, apiKey } = endpoint;
  const embedder = await createEmbedder({ provider: 'openai', model: 'small', baseUrl, apiKey, ...settings });
  return { endpoint, embedder };
}

const inputs = ({ requests }: ScriptedOpenAi) => requests.map(({ body }) => [body.input ?? []].flat().length);

describe('the embedder of an OpenAI-compatible endpoint', () => {
  it('asks once how large its vectors are, and gives one of length 1 for each text in order', async () => {
    const { embedder, endpoint } = await open({ dimensions: 64 });
    expect(embedder.identity).toEqual({ provider: 'openai', model: 'small', dimensions: 64 });
    const [cat, dog, empty] = await embedder.embed(['我家的猫叫团子', 'Rex is a dog', '']);
    expect(endpoint.requests).toHaveLength(2);
    for (const vector of [cat, dog, empty]) expect(vector).toHaveLength(64);
    const [again] = await embedder.embed(['Rex is a dog']);
    expect(cosineSimilarity(dog ?? new Float32Array(), again ?? new Float32Array())).toBeCloseTo(1, 5);
  });

  it('is asked once for a text and its vector, whoever changes the one it got', async () => {
    const { embedder, endpoint } = await open({ dimensions: 16 });
    const [first] = await embedder.embed(['Rex is a dog', 'Rex is a dog', 'Tom is a cat']);
    first?.fill(0);
    const [again] = await embedder.embed(['Rex is a dog']);
    expect(inputs(endpoint)).toEqual([1, 2]);
    expect(Math.hypot(...(again ?? []))).toBeCloseTo(1, 5);
  });

  it('is that of Ollama in one word, at its address with or without /v1', async () => {
    const endpoint = await startScriptedOpenAi({ dimensions: 16 });
    endpoints.push(endpoint);
    for (const baseUrl of [endpoint.url, endpoint.url.replace(/\/v1$/, '')]) {
      const embedder = await createEmbedder({ provider: 'ollama', baseUrl, apiKey: endpoint.apiKey });
      expect(embedder.identity).toEqual({ provider: 'ollama', model: 'bge-m3', dimensions: 16 });
    }
  });

  it('asks for the size that is wanted, and lives with an endpoint that has one size', async () => {
    const wanted = await open({}, { dimensions: 32 });
    expect((await wanted.embedder.embed(['a']))[0]).toHaveLength(32);
    expect(wanted.endpoint.requests[0]?.body.dimensions).toBe(32);
    const fixed = await open({ lacks: { dimensions: true }, dimensions: 32 }, { dimensions: 32 });
    expect((await fixed.embedder.embed(['a']))[0]).toHaveLength(32);
    const other = await open({ lacks: { dimensions: true }, dimensions: 48 }, { dimensions: 32 });
    await expect(other.embedder.embed(['a'])).rejects.toThrow('48 dimensions instead of 32: EMBEDDING_DIMENSIONS');
  });

  it('sends fewer texts at once to an endpoint that takes few', async () => {
    const { embedder, endpoint } = await open({ maxBatch: 10 });
    const texts = Array.from({ length: 95 }, (_, n) => `text number ${n}`);
    const vectors = await embedder.embed(texts);
    expect(vectors).toHaveLength(95);
    expect(Math.max(...inputs(endpoint))).toBeLessThanOrEqual(10);
    const refusals = endpoint.refused.length;
    await embedder.embed(texts);
    expect(endpoint.refused).toHaveLength(refusals);
    const [last] = await embedder.embed(['text number 94']);
    expect(vectors[94]).toEqual(last);
  });

  it('sends the beginning of a text that is too long', async () => {
    const { embedder, endpoint } = await open();
    const [vector] = await embedder.embed(['一个很长的故事。'.repeat(4_000)]);
    expect(vector).toHaveLength(256);
    expect(endpoint.refused).toEqual([]);
  });

  it('tries again when the endpoint is busy', async () => {
    const { embedder } = await open({
      embeddings: [{ kind: 'embed' }, { kind: 'error', status: 429, retryAfter: '0' }, { kind: 'embed' }],
    });
    expect(await embedder.embed(['a', 'b'])).toHaveLength(2);
  });

  it('names the settings to look at', async () => {
    await expect(open({}, { apiKey: 'sk-other' })).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('EMBEDDING_API_KEY'),
    });
    await expect(createEmbedder({ provider: 'openai' })).rejects.toMatchObject({ field: 'EMBEDDING_API_KEY' });
  });

  it.each([
    ['base64 text where numbers were asked for', '"zczMPc3MTD4="'],
    ['digits as text', '"1234"'],
    ['null', '[1, null, 3, 4]'],
    ['a number beyond all numbers', '[1, 2, 3, 1e999]'],
    ['a number beyond those of 32 bits', '[1, 2, 3, 1e300]'],
    ['nothing but zeros', '[0, 0, 0, 0]'],
    ['no number at all', '[]'],
    ['no vector at all', 'null'],
  ])('refuses an answer of %s', async (_name, embedding) => {
    const body = `{"data": [{"index": 0, "embedding": ${embedding}}]}`;
    const { embedder } = await open({ embeddings: [{ kind: 'rubbish', body }] }, { dimensions: 4 });
    const unusable = {
      code: 'unavailable',
      message: expect.stringMatching(/answered something that is no vector.*EMBEDDING_MODEL/),
    };
    await expect(embedder.embed(['a'])).rejects.toMatchObject(unusable);
    await expect(open({ embeddings: [{ kind: 'rubbish', body }] })).rejects.toMatchObject(unusable);
  });

  it.each(['{}', '{"data": null}', '{"data": {}}', '{"data": [null]}', 'null'])(
    'refuses the answer %s, which has no vectors',
    async (body) => {
      const { embedder } = await open({ embeddings: [{ kind: 'rubbish', body }] }, { dimensions: 4 });
      await expect(embedder.embed(['a'])).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('answered 0 vectors to 1 texts'),
      });
    },
  );

  it("knows the sizes of OpenAI's own models without asking", async () => {
    const { identity } = await createEmbedder({ provider: 'openai', apiKey: 'sk-never-sent' });
    expect(identity).toEqual({ provider: 'openai', model: 'text-embedding-3-small', dimensions: 1_536 });
  });
});
