import {
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  type Step,
  startScriptedOpenAi,
} from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createReranker } from '../../src/index.ts';

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

async function open(options: ScriptedOpenAiOptions = {}, settings: { apiKey?: string; timeoutMs?: number } = {}) {
  const endpoint = await startScriptedOpenAi(options);
  endpoints.push(endpoint);
  const { url: baseUrl, apiKey } = endpoint;
  const reranker = await createReranker({ baseUrl, apiKey, model: 'reranker', timeoutMs: 60_000, ...settings });
  return { endpoint, reranker };
}

const texts = ['我家的猫叫团子', 'Rex is a dog', ''];
const rubbish = (results: unknown): ScriptedOpenAiOptions => ({
  rerank: [{ kind: 'rubbish', body: JSON.stringify({ results }) }],
});

describe('the reranker of an endpoint', () => {
  it('gives a score for each document in order, however the answer is ordered', async () => {
    const { reranker, endpoint } = await open({ rerank: [{ kind: 'rerank', scores: [0.1, 0.9, -3] }] });
    expect(await reranker.rerank('whose dog?', texts)).toEqual([0.1, 0.9, -3]);
    expect(endpoint.requests).toEqual([
      {
        path: '/rerank',
        body: { model: 'reranker', query: 'whose dog?', documents: ['我家的猫叫团子', 'Rex is a dog', '-'], top_n: 3 },
      },
    ]);
    expect(reranker).toMatchObject({ model: 'reranker', address: endpoint.url });
  });

  it('asks nothing about no documents', async () => {
    const { reranker, endpoint } = await open();
    expect(await reranker.rerank('q', [])).toEqual([]);
    expect(endpoint.requests).toEqual([]);
  });

  it('sends the beginning of what is long, and no half character', async () => {
    const { reranker, endpoint } = await open();
    await reranker.rerank(`a${'😀'.repeat(9_000)}`, [`a${'😀'.repeat(9_000)}`]);
    const { query = '', documents = [] } = endpoint.requests[0]?.body ?? {};
    expect([query, ...documents].map((text) => text.length)).toEqual([999, 3_999]);
    expect(query.endsWith('😀')).toBe(true);
  });

  it.each<[string, unknown]>([
    ['too few', [{ index: 0, relevance_score: 1 }]],
    ['too many', [0, 1, 2, 3].map((index) => ({ index, relevance_score: 1 }))],
    ['an index twice', [0, 1, 1].map((index) => ({ index, relevance_score: 1 }))],
    ['an unknown index', [0, 1, 7].map((index) => ({ index, relevance_score: 1 }))],
    ['a negative index', [0, 1, -1].map((index) => ({ index, relevance_score: 1 }))],
    ['no number', [0, 1, 2].map((index) => ({ index, relevance_score: null }))],
    ['another shape', 'sorry'],
  ])('refuses an answer with %s', async (_, results) => {
    const { reranker } = await open(rubbish(results));
    await expect(reranker.rerank('q', texts)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/did not answer one score for each of 3 documents: check RERANK_BASE_URL$/),
    });
  });

  it.each<[string, readonly Step[], object]>([
    ['no JSON', [{ kind: 'rubbish', body: '<html>' }], { code: 'unavailable' }],
    ['an error', [{ kind: 'error', status: 500 }], { code: 'unavailable' }],
    ['a refusal', [{ kind: 'error', status: 400 }], { message: expect.stringContaining('RERANK_MODEL') }],
    ['too many requests', [{ kind: 'error', status: 429, retryAfter: '30' }], { code: 'rate_limited' }],
    ['silence', [{ kind: 'hang' }], { code: 'timeout' }],
    ['a cut connection', [{ kind: 'cut' }], { message: expect.stringContaining('RERANK_BASE_URL') }],
  ])('tries once and tells of %s', async (_, rerank, error) => {
    const { reranker, endpoint } = await open({ rerank }, rerank[0]?.kind === 'hang' ? { timeoutMs: 300 } : {});
    await expect(reranker.rerank('q', texts)).rejects.toMatchObject(error);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('ends a call that is given up', async () => {
    const { reranker, endpoint } = await open({ rerank: [{ kind: 'hang' }] });
    const ending = new AbortController();
    const ranking = reranker.rerank('q', texts, ending.signal);
    while (endpoint.requests.length === 0) await new Promise(setImmediate);
    ending.abort();
    await expect(ranking).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('names the settings to look at', async () => {
    const { reranker } = await open({}, { apiKey: 'sk-other' });
    await expect(reranker.rerank('q', texts)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('RERANK_API_KEY'),
    });
    const settings = { baseUrl: 'ftp://x', model: 'm', timeoutMs: 1 };
    await expect(createReranker(settings)).rejects.toMatchObject({ field: 'RERANK_BASE_URL' });
  });
});
