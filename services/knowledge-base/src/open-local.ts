import type { Log } from '@contextloom/mcp-kit';
import type { Isolation, KnowledgeBase } from './domain/knowledge-base.ts';
import { createKnowledgeBase } from './domain/local-knowledge-base.ts';
import { type EmbeddingChoice, openEmbedder } from './open-embedder.ts';
import { openReranker, type RerankChoice } from './open-reranker.ts';
import { openStore, type StorePlace } from './open-store.ts';
import { openThesaurus } from './open-thesaurus.ts';

/** What a knowledge base in this process is opened from. */
export interface OpenLocalOptions extends StorePlace, EmbeddingChoice, RerankChoice {
  readonly isolation: Isolation;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** What to do with a store whose vectors another embedder made. */
  readonly onMismatch?: 'refuse' | 'rebuild';
}

/**
 * Opens the knowledge base over the store that the settings name.
 * @throws ContextloomError `unavailable` when the store cannot be used; `invalid` for an unknown embedder or half a reranker
 */
export async function openLocalKnowledgeBase(options: OpenLocalOptions): Promise<KnowledgeBase> {
  const { isolation, clock, newId, log, onMismatch } = options;
  const reranker = await openReranker(options);
  const reranking = reranker && { reranker, deadlineMs: options.rerankDeadlineMs };
  const embedder = await openEmbedder(options);
  const store = await openStore(options, {
    embedder: embedder.identity,
    log,
    newId,
    ...(onMismatch && { onMismatch }),
  });
  const thesaurus = openThesaurus();
  return createKnowledgeBase({ store, embedder, reranking, thesaurus, isolation, clock, newId, log });
}
