import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type SearchResult, searchRequestSchema } from '@contextloom/contracts';
import { readSettings, silentLog } from '@contextloom/runtime';
import { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkKnowledgeBase } from '../src/checks.ts';
import { serverSettings, storeSettings } from '../src/config.ts';
import { openLocalKnowledgeBase } from '../src/open-local.ts';
import { makeFolder } from './support/service.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Opened {
  readonly endpoint: ScriptedOpenAi;
  /** Ids, best first, of a search for tea. */
  readonly search: (request?: object) => Promise<readonly string[]>;
  readonly explain: (request?: object) => Promise<readonly SearchResult[]>;
  readonly warnings: readonly unknown[];
  /** Lets so many milliseconds pass for the knowledge base. */
  readonly wait: (ms: number) => void;
}

const toEnv = ({ url, apiKey }: ScriptedOpenAi): Record<string, string> => ({
  RERANK_BASE_URL: url,
  RERANK_MODEL: 'scripted-reranker',
  RERANK_API_KEY: apiKey,
});

async function start(options: ScriptedOpenAiOptions): Promise<ScriptedOpenAi> {
  const endpoint = await startScriptedOpenAi(options);
  cleanups.push(() => endpoint.close());
  return endpoint;
}

async function openFolder(env: Record<string, string>, log: typeof silentLog, now?: () => number) {
  const dataDir = await makeFolder();
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  const { values } = readSettings(storeSettings, { KB_DATA_DIR: dataDir, ...env });
  const knowledgeBase = await openLocalKnowledgeBase({
    ...values,
    clock: () => new Date(),
    newId: randomUUID,
    log,
    ...(now !== undefined && { now }),
  });
  cleanups.push(() => knowledgeBase.close());
  return knowledgeBase;
}

/** Documents about tea, in the order in which a search for tea has them: the more else they say, the later. */
const toDocument = (at: number, rest: object = {}) => ({
  doc_id: `d${String(at).padStart(2, '0')}`,
  tags: [] as string[],
  metadata: {},
  content: `tea${' and so on'.repeat(at)}`,
  ...rest,
});

async function open(rerank: ScriptedOpenAiOptions['rerank'], env = {}, count = 4): Promise<Opened> {
  const endpoint = await start(rerank === undefined ? {} : { rerank });
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (fields: object, message: string) => void warnings.push({ ...fields, message }) };
  let now = 0;
  const knowledgeBase = await openFolder({ ...toEnv(endpoint), ...env }, log, () => now);
  await knowledgeBase.add(Array.from({ length: count }, (_, at) => toDocument(at)));
  const explain = (request: object = {}) =>
    knowledgeBase.search(searchRequestSchema.parse({ query: 'tea', explain: true, ...request }));
  return {
    endpoint,
    warnings,
    explain,
    search: async (request) => (await explain(request)).map(({ id }) => id),
    wait: (ms) => {
      now += ms;
    },
  };
}

const first = ['d00', 'd01', 'd02', 'd03'];

describe('a knowledge base with a reranker', () => {
  it('answers in the order of the reranker, and explains it', async () => {
    const { explain, endpoint } = await open([{ kind: 'rerank', scores: [-4, 2.5, 0, 7] }]);
    const results = await explain();
    expect(results.map(({ id }) => id)).toEqual(['d03', 'd01', 'd02', 'd00']);
    expect(results.map(({ explain: why }) => why?.rerank)).toEqual(
      [7, 2.5, 0, -4].map((score, at) => ({ rank: at + 1, score })),
    );
    expect(results.map(({ explain: why }) => why?.words?.rank)).toEqual([4, 2, 3, 1]);
    expect(results[0]).toMatchObject({ score: 1, explain: { score: 1 } });
    expect(endpoint.requests[0]?.body).toMatchObject({ model: 'scripted-reranker', query: 'tea', top_n: 4 });
  });

  it('brings up what the first stage had too far behind to be in the answer', async () => {
    const { search } = await open([{ kind: 'rerank', scores: [0, 0, 0, 1] }]);
    expect(await search({ top_k: 1 })).toEqual(['d03']);
  });

  it('has the first 50 candidates read and leaves the others behind them', async () => {
    const scores = Array.from({ length: 50 }, (_, at) => at);
    const { search, endpoint } = await open([{ kind: 'rerank', scores }], {}, 60);
    const ids = await search({ top_k: 60 });
    expect(endpoint.requests[0]?.body.documents).toHaveLength(50);
    expect([ids[0], ids[49], ids[50], ids[59]]).toEqual(['d49', 'd00', 'd50', 'd59']);
  });

  it('does not ask about an empty query or a single document', async () => {
    const { search, endpoint } = await open(undefined);
    await search({ query: ' ' });
    await search({ metadata_filter: { nothing: 'matches' } });
    expect(endpoint.requests).toEqual([]);
  });

  const rubbish = (results: unknown) => [{ kind: 'rubbish', body: JSON.stringify({ results }) }] as const;
  it.each<[string, ScriptedOpenAiOptions['rerank']]>([
    ['an error', [{ kind: 'error', status: 500 }]],
    ['a refusal', [{ kind: 'error', status: 401 }]],
    ['silence', [{ kind: 'hang' }]],
    ['a late answer', [{ kind: 'rerank', scores: [0, 0, 0, 1], delayMs: 2_000 }]],
    ['a cut connection', [{ kind: 'cut' }]],
    ['no JSON', [{ kind: 'rubbish', body: 'null and void' }]],
    ['too few scores', rubbish([{ index: 0, relevance_score: 1 }])],
    ['an unknown index', rubbish([0, 1, 2, 9].map((index) => ({ index, relevance_score: index })))],
    ['no number', rubbish([0, 1, 2, 3].map((index) => ({ index, relevance_score: 'NaN' })))],
  ])('keeps the first order, warns, and leaves the reranker alone for 15 s, on %s', async (_, rerank) => {
    const { explain, search, endpoint, warnings, wait } = await open(rerank, { RERANK_DEADLINE_MS: '200' });
    const results = await explain();
    expect(results.map(({ id }) => id)).toEqual(first);
    expect(results[0]?.explain).not.toHaveProperty('rerank');
    expect(warnings).toEqual([
      { cause: expect.objectContaining({ name: 'ContextloomError' }), message: expect.stringContaining('reranker') },
    ]);
    wait(14_999);
    expect(await search()).toEqual(first);
    expect(endpoint.requests).toHaveLength(1);
    wait(1);
    expect(await search()).toEqual(first);
    expect(endpoint.requests).toHaveLength(2);
    expect(warnings).toHaveLength(2);
  });

  it('is asked again and heeded once it works', async () => {
    const { search, wait } = await open([
      { kind: 'error', status: 503 },
      { kind: 'rerank', scores: [0, 0, 0, 1] },
    ]);
    expect(await search()).toEqual(first);
    wait(15_000);
    expect((await search())[0]).toBe('d03');
  });
});

describe('the settings of the reranker', () => {
  it('leave it off unless both the address and the model are there', async () => {
    const knowledgeBase = await openFolder({}, silentLog);
    expect(await knowledgeBase.search({ query: 'tea', top_k: 5 })).toEqual([]);
    await expect(openFolder({ RERANK_MODEL: 'm' }, silentLog)).rejects.toMatchObject({ field: 'RERANK_BASE_URL' });
    const half = openFolder({ RERANK_BASE_URL: 'http://127.0.0.1:9/v1' }, silentLog);
    await expect(half).rejects.toMatchObject({ field: 'RERANK_MODEL' });
  });

  it('are tried out by the checks', async () => {
    const endpoint = await start({});
    const dataDir = await makeFolder();
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    const check = (env: Record<string, string>) =>
      checkKnowledgeBase({
        ...readSettings(serverSettings, { KB_DATA_DIR: dataDir, ...env }).values,
        clock: () => new Date(),
        newId: randomUUID,
        log: silentLog,
      });
    const detail = `scripted-reranker at ${endpoint.url}`;
    expect((await check(toEnv(endpoint))).at(-1)).toEqual({ name: 'reranker', status: 'ok', detail });
    expect((await check({ ...toEnv(endpoint), RERANK_API_KEY: 'wrong' })).at(-1)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('RERANK_API_KEY'),
    });
  });
});
