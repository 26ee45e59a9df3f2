import { createSearchReranker, openReranker } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createProjectMemoryServer } from '../src/build-server.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { createMemory, openStore } from './support/memory.ts';

const TEXTS = [
  'The tide table of the harbour is printed in May.',
  'The tide table is read by pilots before they enter the harbour at night.',
  'A tide table names heights, and the harbour office keeps all of them.',
];

/** What the endpoint does with the next requests; it scores by where a word stands, so that the order is ours to say. */
let answer: (documents: readonly string[]) => Step;
let opened: TestDatabase;
let endpoint: ScriptedOpenAi;
let client: TestClient;
let failures = 0;
beforeAll(async () => {
  opened = await openEmbedded();
  endpoint = await startScriptedOpenAi({ rerank: ({ body }) => answer(body.documents ?? []) });
  const choice = { rerankBaseUrl: endpoint.url, rerankModel: 'scripted', rerankApiKey: endpoint.apiKey };
  const reranker = await openReranker({ ...choice, rerankDeadlineMs: 5_000 });
  if (reranker === undefined) throw new Error('there is no reranker');
  const rerank = createSearchReranker(reranker, {
    deadlineMs: 5_000,
    onFailure: () => {
      failures += 1;
    },
  });
  const { memory, ownerId } = createMemory(await openStore(opened), { rerank });
  for (const content of TEXTS) await memory.ingest({ project_name: 'harbour', content_type: 'insight', content });
  const factory = createProjectMemoryServer({ ownerId, version: '0', log: silentLog, open: async () => memory });
  client = await connectInMemory(factory);
});
afterAll(async () => {
  await client.close();
  await endpoint.close();
  await opened.close();
});

interface Found {
  readonly results: readonly { readonly snippet: string }[];
  readonly metadata: { readonly without?: readonly string[] };
}
async function search(limit: number): Promise<Found> {
  const { structured } = await client.callTool('mem.search', { query: 'tide table harbour', limit });
  return structured as unknown as Found;
}
const preferring =
  (word: string) =>
  (documents: readonly string[]): Step => ({
    kind: 'rerank',
    scores: documents.map((text) => (text.includes(word) ? 1 : 0)),
  });

it('lets a reranker that is set decide what comes first, below the limit too', async () => {
  for (const word of ['May', 'night', 'office']) {
    answer = preferring(word);
    const { results, metadata } = await search(1);
    expect(results).toMatchObject([{ snippet: expect.stringContaining(word) }]);
    expect(metadata.without).toBeUndefined();
  }
  expect(failures).toBe(0);
});

it('keeps its own order when the reranker is down, and says so', async () => {
  answer = () => ({ kind: 'error', status: 500 });
  const { results, metadata } = await search(10);
  expect(results).toHaveLength(3);
  expect(metadata.without).toEqual(['reranker']);
  expect(failures).toBe(1);
});
