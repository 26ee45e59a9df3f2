import { createQueryEmbedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/mcp-kit';
import { testEmbeddingFaults } from '../../../shared/tooling/embedding-faults.contract.ts';
import { createEmbedTexts } from '../src/model/embed-texts.ts';
import { startPendingEmbeddings } from '../src/model/pending-embeddings.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { openEmbedded } from './support/databases.ts';
import { createMemory, split } from './support/memory.ts';

const OWNER = 'ann';

testEmbeddingFaults('a project memory', async ({ embedder, now }) => {
  const { database, close } = await openEmbedded();
  const store = await createSqlMemoryStore(database, { space: embedder.identity, onMismatch: 'refuse', split });
  const { memory } = createMemory(store, {
    ownerId: OWNER,
    embed: createEmbedTexts(embedder, silentLog),
    embedQuery: createQueryEmbedder(embedder, { now, onFailure: () => undefined }),
  });
  return {
    put: (content) => memory.ingest({ project_name: 'zoo', content_type: 'plan', content }),
    find: async (query) => {
      const { results } = await memory.search({ query, scope: 'all', limit: 5 });
      return results.map(({ snippet }) => snippet);
    },
    embedWaiting: async () => {
      const before = await memory.countWaiting();
      // It begins by itself.
      const pending = startPendingEmbeddings({ ownerId: OWNER, store, embedder, log: silentLog });
      await pending.run();
      await pending.stop();
      return before - (await memory.countWaiting());
    },
    countWaiting: () => memory.countWaiting(),
    close,
  };
});
