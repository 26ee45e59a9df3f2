import { randomUUID } from 'node:crypto';
import { createPassageEmbedder, createQueryEmbedder } from '@contextloom/llm';
import { testEmbeddingFaults } from '../../../shared/tooling/embedding-faults.contract.ts';
import { createKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { openTemporaryStore } from './support/stores.ts';

// Typed memory keeps its texts here as well.
testEmbeddingFaults('a knowledge base in a file', async ({ embedder, now }) => {
  const { store, remove } = await openTemporaryStore((file) => openSqliteStore({ file, embedder: embedder.identity }));
  const waiting = { now, onFailure: () => undefined };
  const knowledgeBase = createKnowledgeBase({
    ...{ store, embedder, isolation: 'strict', clock: () => new Date(), newId: randomUUID },
    embedPassages: createPassageEmbedder(embedder, waiting),
    embedQuery: createQueryEmbedder(embedder, waiting),
  });
  return {
    put: (content) => knowledgeBase.add([{ content, tags: [], metadata: {} }]),
    find: async (query) => (await knowledgeBase.search({ query, top_k: 5 })).map(({ content }) => content),
    embedWaiting: async () => (await store.embedWaiting?.(embedder.embed)) ?? 0,
    countWaiting: () => knowledgeBase.countWaiting(),
    close: remove,
  };
});
