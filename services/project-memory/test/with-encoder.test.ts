import { readFile } from 'node:fs/promises';
import { createEmbedder } from '@contextloom/llm';
import { toRelevanceScale } from '@contextloom/retrieval/ranking';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { createMemory, openStore, split } from './support/memory.ts';

interface QuestionSet {
  readonly memories: Readonly<Record<string, string>>;
  readonly questions: readonly { readonly kind: string; readonly text: string; readonly answer: string }[];
}

const DIMENSIONS = 384;
let endpoint: ScriptedOpenAi;
const opened: TestDatabase[] = [];

beforeAll(async () => {
  endpoint = await startScriptedOpenAi({ dimensions: DIMENSIONS, embeddings: () => ({ kind: 'embed' }) });
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await endpoint.close();
});

async function openDatabase(): Promise<TestDatabase> {
  const database = await openEmbedded();
  opened.push(database);
  return database;
}

/** A project memory whose vectors are those of a model behind an endpoint. */
async function openWithModel(): Promise<ProjectMemory> {
  const { url: baseUrl, apiKey } = endpoint;
  const embedder = await createEmbedder({ provider: 'openai', model: 'm', baseUrl, apiKey, dimensions: DIMENSIONS });
  const database = await openDatabase();
  const store = await createSqlMemoryStore(database.toEngine(), {
    space: embedder.identity,
    onMismatch: 'refuse',
    split,
  });
  const embed = (texts: readonly string[]) => embedder.embed(texts);
  const embedQuery = async (query: string) => (await embedder.embed([query]))[0];
  return createMemory(store, { embed, embedQuery, scale: toRelevanceScale(embedder.identity) }).memory;
}

it.each(['project.en', 'project.zh', 'person.en'])(
  'finds with the vectors of a model what words find, and no less of it: %s',
  async (name) => {
    const file = new URL(`../../cli/bench/understanding/sets/${name}.json`, import.meta.url);
    const { memories, questions }: QuestionSet = JSON.parse(await readFile(file, 'utf8'));
    const count = async (memory: ProjectMemory): Promise<number> => {
      let found = 0;
      for (const { text, answer } of questions) {
        const { results } = await memory.search({ query: text, project_key: name, scope: 'all', limit: 10 });
        if (results.some(({ snippet }) => snippet.includes(memories[answer] ?? ' '))) found += 1;
      }
      return found;
    };
    const memory = await openWithModel();
    for (const content of Object.values(memories)) {
      await memory.ingest({ project_key: name, content_type: 'insight', content });
    }
    const found = await count(memory);
    const { memory: wordsAlone } = createMemory(await openStore(await openDatabase()), {
      embedQuery: async () => undefined,
    });
    for (const content of Object.values(memories)) {
      await wordsAlone.ingest({ project_key: name, content_type: 'insight', content });
    }
    expect(found).toBeGreaterThanOrEqual(await count(wordsAlone));
    expect(found).toBeGreaterThan(questions.length / 2);
  },
  120_000,
);
