import { randomUUID } from 'node:crypto';
import { createPassageEmbedder, createQueryEmbedder } from '@contextloom/llm';
import {
  type EmbeddedTexts,
  type EmbeddedTextsOptions,
  testEmbeddingFaults,
} from '@contextloom/testing/embedding-faults.contract';
import { createKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeWithChroma } from './support/chroma-server.ts';
import { openTemporaryChromaStore } from './support/chroma-store.ts';
import { useSharedChroma } from './support/shared-chroma.ts';
import { openTemporaryStore, type TemporaryStore } from './support/stores.ts';

function toTexts({ store, remove }: TemporaryStore, { embedder, now }: EmbeddedTextsOptions): EmbeddedTexts {
  const waiting = { now, onFailure: () => undefined };
  const knowledgeBase = createKnowledgeBase({
    store,
    embedder,
    isolation: 'strict',
    clock: () => new Date(),
    newId: randomUUID,
    embedPassages: createPassageEmbedder(embedder, waiting),
    embedQuery: createQueryEmbedder(embedder, waiting),
  });
  return {
    put: (content) => knowledgeBase.add([{ content, tags: [], metadata: {} }]),
    find: async (query) => (await knowledgeBase.search({ query, top_k: 5 })).map(({ content }) => content),
    embedWaiting: () => store.embedWaiting(embedder.embed),
    countWaiting: () => knowledgeBase.countWaiting(),
    close: remove,
  };
}

// Typed memory keeps its texts here as well.
testEmbeddingFaults('a knowledge base in a file', async (options) => {
  const open = (file: string) => openSqliteStore({ file, embedder: options.embedder.identity });
  return toTexts(await openTemporaryStore(open), options);
});

describeWithChroma('a Chroma server', () => {
  testEmbeddingFaults('a knowledge base on a Chroma server', async (options) => {
    const { identity } = options.embedder;
    const opened = await openTemporaryChromaStore(await useSharedChroma(), { embedder: identity });
    return toTexts(opened, options);
  });
});
