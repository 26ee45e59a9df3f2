import { createQueryEmbedder } from '@contextloom/llm';
import { testEmbeddingFaults } from '@contextloom/testing/embedding-faults.contract';
import { toSearchable } from '../src/domain/context.ts';
import { openSharedStore } from '../src/store/shared-store.ts';
import { makeFolder, removeFolder } from './support/memory.ts';

testEmbeddingFaults('a personal memory', async ({ embedder, now }) => {
  const folder = makeFolder();
  const embed = createQueryEmbedder(embedder, { now, onFailure: () => undefined });
  const store = openSharedStore({
    dimensions: embedder.identity.dimensions,
    fingerprint: 'scripted',
    threads: 0,
    file: `${folder}/memory.db`,
    backupFolder: `${folder}/backups`,
    toSearchable: (text) => toSearchable(text, { embed }),
  });
  const values = new Map<string, string>();
  const about = { category: null, tags: [], confidence: 1, updatedAt: 0 };
  return {
    put: async (value) => {
      const text = await toSearchable(value, { embed });
      const key = `about_${values.size}`;
      values.set(key, value);
      const entry = { ...about, key, value };
      await store.use('ann', (memory) => memory.change((writer) => writer.putProfile(entry, text)));
    },
    find: async (words) => {
      const text = await toSearchable(words, { embed }, 'query');
      const hits = await store.use('ann', (memory) => memory.searchProfile({ text, limit: 5 }, undefined));
      return hits.map(({ id }) => values.get(id) ?? '');
    },
    embedWaiting: () => store.embedWaiting(),
    countWaiting: () => store.countWaiting(),
    close: async () => {
      await store.close();
      removeFolder(folder);
    },
  };
});
