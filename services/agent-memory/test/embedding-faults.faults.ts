import { testEmbeddingFaults } from '@contextloom/testing/embedding-faults.contract';
import { createFolder, openTestMemory } from './support/memory.ts';

testEmbeddingFaults('an agent memory', async ({ embedder }) => {
  const folder = createFolder();
  const { memory } = await openTestMemory(folder, { embedder });
  await memory.sync();
  return {
    put: (content) => memory.add({ content, session: 'owner' }),
    find: async (query) => {
      const { items } = await memory.search({ query, limit: 5, session: 'owner' });
      return items.map(({ entry }) => entry.content);
    },
    embedWaiting: () => memory.embedWaiting(),
    countWaiting: () => memory.countWaiting(),
    close: async () => {
      await memory.close();
      folder.remove();
    },
  };
});
