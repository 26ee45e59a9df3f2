import { createQueryEmbedder } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import {
  type EmbeddedTexts,
  type EmbeddedTextsOptions,
  testEmbeddingFaults,
} from '@contextloom/testing/embedding-faults.contract';
import { startPendingEmbeddings } from '../src/model/pending-embeddings.ts';
import { createEmbedTexts } from '../src/open-project-memory.ts';
import { createSqlMemoryStore } from '../src/store/sql-memory-store.ts';
import { openEmbedded, openOverTcp, type TestDatabase } from './support/databases.ts';
import { createMemory, split } from './support/memory.ts';

const OWNER = 'ann';

async function toTexts(
  { toEngine, close }: TestDatabase,
  { embedder, now }: EmbeddedTextsOptions,
): Promise<EmbeddedTexts> {
  const store = await createSqlMemoryStore(toEngine(), { space: embedder.identity, onMismatch: 'refuse', split });
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
}

testEmbeddingFaults('a project memory on SQLite', async (options) => toTexts(await openEmbedded(), options));

// The Postgres of TEST_DATABASE_URL, or PGlite behind its socket server, spoken to by the same adapter.
testEmbeddingFaults('a project memory on Postgres', async (options) => toTexts(await openOverTcp(), options));
