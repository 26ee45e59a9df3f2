import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { startPendingEmbeddings } from '../src/model/pending-embeddings.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { createMemory, embedder, openStore } from './support/memory.ts';

const OWNER = 'ann';
let opened: TestDatabase;
let store: MemoryStore;
beforeAll(async () => {
  opened = await openEmbedded();
  store = await openStore(opened);
});
beforeEach(() => opened.database.run('delete from projects'));
afterAll(() => opened.close());

async function ingest(contents: readonly string[], ownerId = OWNER): Promise<void> {
  const { memory } = createMemory(store, { ownerId, embed: async () => undefined });
  for (const content of contents) await memory.ingest({ project_name: 'harbour', content_type: 'plan', content });
}

/** Makes what is missing with an embedder that fails for texts with a word in them; answers how often it was asked. */
async function run(word: string, code: 'invalid' | 'unavailable', times = 1): Promise<{ asked: number; made: number }> {
  let asked = 0;
  const embed = async (texts: readonly string[]) => {
    asked += 1;
    if (texts.some((text) => text.includes(word))) throw new ContextloomError(code, 'the embedder refuses it');
    return embedder.embed(texts);
  };
  const pending = startPendingEmbeddings({ ownerId: OWNER, store, embedder: { embed }, log: silentLog });
  let made = 0;
  for (let time = 0; time < times; time += 1) made += await pending.run();
  await pending.stop();
  return { asked, made };
}

const missing = async (ownerId = OWNER): Promise<readonly string[]> =>
  (await store.pending(ownerId, 100)).map(({ content }) => content);
const NOTES = [
  'Ships sail at noon.',
  '港口太长。',
  'Tides turn at six.',
  'Pilots read tables.',
  'Cranes rest at night.',
];

it('makes the vectors of all texts but the one that the embedder refuses, which is not asked for again', async () => {
  await ingest(NOTES);
  const { asked } = await run('港口', 'invalid', 3);
  expect(await missing()).toEqual(['港口太长。']);
  expect(asked).toBeLessThan(8);
  expect((await store.inspect()).pending).toBe(1);
  await run('nothing', 'invalid');
  expect(await missing()).toEqual([]);
});

it('asks once a time while the embedder is out of reach, and keeps all for later', async () => {
  await ingest(NOTES);
  expect(await run('港口', 'unavailable')).toEqual({ asked: 2, made: 0 });
  expect(await missing()).toHaveLength(5);
});

it('keeps all for later when each one is refused: the model may be missing', async () => {
  await ingest(NOTES);
  await run('', 'invalid', 2);
  await run('nothing', 'invalid');
  expect(await missing()).toEqual([]);
});

it("leaves other owners' texts to the embedder of their own servers", async () => {
  await ingest(NOTES.slice(0, 2));
  await ingest(NOTES.slice(2), 'bob');
  expect(await run('nothing', 'invalid')).toMatchObject({ asked: 1 });
  expect(await missing()).toEqual([]);
  expect(await missing('bob')).toHaveLength(3);
});
