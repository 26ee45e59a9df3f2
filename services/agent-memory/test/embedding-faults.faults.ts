import { openReadOnly } from '@contextloom/sqlite';
import { testEmbeddingFaults } from '../../../shared/tooling/embedding-faults.contract.ts';
import { createFolder, openTestMemory } from './support/memory.ts';

testEmbeddingFaults('an agent memory', async ({ embedder }) => {
  const folder = createFolder();
  const { memory, index } = await openTestMemory(folder, { embedder });
  await memory.sync();
  const countWaiting = (): number => {
    const database = openReadOnly(folder.index);
    try {
      const sql = 'SELECT count(*) FROM memory_entries WHERE has_vector = 0';
      return database.prepare<[], number>(sql).pluck().get() ?? 0;
    } finally {
      database.close();
    }
  };
  return {
    put: (content) => memory.add({ content, session: 'owner' }),
    find: async (query) => {
      const { items } = await memory.search({ query, limit: 5, fusion: 'weighted', session: 'owner' });
      return items.map(({ entry }) => entry.content);
    },
    embedWaiting: async () => {
      const before = countWaiting();
      await index.completeVectors();
      return before - countWaiting();
    },
    close: async () => {
      await memory.close();
      folder.remove();
    },
  };
});
