import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, silentLog } from '@contextloom/runtime';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach } from '@jest/globals';
import { storeSettings } from '../../src/config.ts';
import type { KnowledgeBase } from '../../src/domain/knowledge-base.ts';
import { openLocalKnowledgeBase } from '../../src/open-local.ts';

/** What the test in hand has opened, to be closed after it. */
export const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A scripted endpoint that embeds, by default, with 48 dimensions. */
export async function startModel(options: Parameters<typeof startScriptedOpenAi>[0] = {}): Promise<ScriptedOpenAi> {
  const endpoint = await startScriptedOpenAi({ dimensions: 48, ...options });
  cleanups.push(() => endpoint.close());
  return endpoint;
}

/** A folder that the test's end removes. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-kb-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A knowledge base over a folder, with these settings. */
export async function open(
  dataDir: string,
  env: Record<string, string>,
  more: { readonly embedWaitingEveryMs?: number } = {},
): Promise<KnowledgeBase> {
  const knowledgeBase = await openLocalKnowledgeBase({
    ...readSettings(storeSettings, { KB_DATA_DIR: dataDir, ...env }).values,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
    ...more,
  });
  cleanups.push(() => knowledgeBase.close());
  return knowledgeBase;
}

/** The settings that name an endpoint. */
export const toEnv = ({ url, apiKey }: ScriptedOpenAi): Record<string, string> => ({
  EMBEDDING_PROVIDER: 'openai',
  EMBEDDING_MODEL: 'scripted-embedding',
  EMBEDDING_BASE_URL: url,
  EMBEDDING_API_KEY: apiKey,
});
/** Two documents, Chinese and English. */
export const documents = ['我家的猫叫团子，今年三岁。', 'Rex is the dog of the baker.'].map((content, at) => ({
  doc_id: `d${at}`,
  content,
  tags: [],
  metadata: {},
}));
/** The ids that a query finds, at most one. */
export const ask = async (knowledgeBase: KnowledgeBase, query: string) =>
  (await knowledgeBase.search({ query, top_k: 1 })).map(({ id }) => id);
