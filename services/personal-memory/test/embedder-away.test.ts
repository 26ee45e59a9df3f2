import { createEmbedder, createQueryEmbedder } from '@contextloom/llm';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toSearchable } from '../src/domain/context.ts';
import type { ProfileEntry } from '../src/domain/model.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { createPerUserStore } from '../src/store/per-user-store.ts';
import { openSharedStore } from '../src/store/shared-store.ts';
import { makeFolder, removeFolder, type Scheme, schemes } from './support/memory.ts';

const DIMENSIONS = 48;
const body = (embedding: unknown): Step => ({
  kind: 'body',
  status: 200,
  body: `{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":${embedding}}]}`,
});
/** What endpoints answer that answer no vector of the right kind. */
const failures: readonly (readonly [name: string, step: Step])[] = [
  ['null', body('null')],
  ['zeros', body(JSON.stringify(Array(DIMENSIONS).fill(0)))],
  ['numbers beyond all numbers', body(`[${Array(DIMENSIONS).fill('1e999').join(', ')}]`)],
  ['another number of dimensions', body('[1, 2, 3]')],
  ['base64', body('"zczMPc3MTD4="')],
];

let folder: string;
let endpoint: ScriptedOpenAi;
let store: MemoryStore;
let step: Step;
let time: number;

beforeEach(async () => {
  folder = makeFolder();
  step = { kind: 'embed' };
  time = 0;
  endpoint = await startScriptedOpenAi({ dimensions: DIMENSIONS, embeddings: () => step });
});

afterEach(async () => {
  await store.close();
  await endpoint.close();
  removeFolder(folder);
});

/** A memory whose embedder is the endpoint, with a clock that has gone on far enough at each call for it to be tried again. */
async function open(scheme: Scheme) {
  const { url: baseUrl, apiKey } = endpoint;
  const embedder = await createEmbedder({ provider: 'openai', model: 'm', baseUrl, apiKey, dimensions: DIMENSIONS });
  const now = (): number => {
    time += 60_000;
    return time;
  };
  const embed = createQueryEmbedder(embedder, { onFailure: () => undefined, now });
  const options = {
    dimensions: DIMENSIONS,
    fingerprint: 'scripted',
    backupFolder: `${folder}/backups`,
    threads: 0,
    toSearchable: (text: string) => toSearchable(text, { embed }),
  };
  store =
    scheme === 'shared'
      ? openSharedStore({ ...options, file: `${folder}/memory.db` })
      : createPerUserStore({ ...options, folder: `${folder}/users` });
  return { embed };
}

const entry = (value: string): ProfileEntry => ({
  key: 'pet',
  value,
  category: null,
  tags: [],
  confidence: 1,
  updatedAt: 0,
});

describe.each(schemes)('a memory whose embedder is out of reach, users %s', (scheme) => {
  it.each(failures)(
    'that answers %s: texts are found by words, and get their vectors later',
    async (_name, failure) => {
      const { embed } = await open(scheme);
      const put = async (value: string): Promise<void> => {
        const text = await toSearchable(value, { embed });
        await store.use('ann', (memory) => memory.change((writer) => writer.putProfile(entry(value), text)));
      };
      /** The score of the one attribute for words that are nowhere in it, by vectors alone. */
      const search = async (words: string): Promise<readonly unknown[]> => {
        const { vector, tokens } = await toSearchable(words, { embed });
        return store.use('ann', (memory) => memory.searchProfile({ text: { vector, tokens }, limit: 5 }, undefined));
      };
      await put('a parrot named Coco');
      step = failure;
      await put('a terrier called Rex');
      expect(await store.embedWaiting()).toBe(0);
      expect(await search('terrier')).toHaveLength(1);
      step = { kind: 'embed' };
      // The vector of the parrot went with its text.
      expect(await search('parrot named Coco')).toEqual([]);
      expect(await store.embedWaiting()).toBe(1);
      expect(await store.embedWaiting()).toBe(0);
      expect(await search('terriers')).toHaveLength(1);
    },
  );
});
