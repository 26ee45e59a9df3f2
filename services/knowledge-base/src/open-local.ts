import {
  createPassageEmbedder,
  createQueryEmbedder,
  createSearchReranker,
  type EmbeddingChoice,
  openReranker,
  type RerankChoice,
  startEmbeddingWaiting,
} from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { toIndexes } from './domain/indexing/indexing.ts';
import type { Isolation, KnowledgeBase } from './domain/knowledge-base.ts';
import { createKnowledgeBase } from './domain/local-knowledge-base.ts';
import { openStoreEmbedder } from './open-embedder.ts';
import type { OnMismatch } from './store/fingerprint.ts';
import { engineOf, type StorePlace } from './store/index.ts';

/** What a knowledge base in this process is opened from. */
export interface OpenLocalOptions extends StorePlace, EmbeddingChoice, RerankChoice {
  readonly isolation: Isolation;
  readonly clock: () => Date;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly newId: () => string;
  readonly log: Log;
  /** What to do with a store whose index something else made. */
  readonly onMismatch?: OnMismatch;
  /** How often documents are looked for that were stored while the embedder was out of reach, in milliseconds. */
  readonly embedWaitingEveryMs?: number;
}

/**
 * Opens the knowledge base over the store that the settings name.
 * @throws ContextloomError `unavailable` when the store cannot be used; `invalid` for an unknown embedder or half a reranker
 */
export async function openLocalKnowledgeBase(options: OpenLocalOptions): Promise<KnowledgeBase> {
  const { isolation, clock, newId, log, onMismatch = 'upgrade', now } = options;
  const timing = now === undefined ? {} : { now };
  const warnOf = (message: string) => (cause: unknown) => log.warn({ cause }, message);
  const reranker = await openReranker(options);
  const rerank =
    reranker &&
    createSearchReranker(reranker, {
      ...timing,
      deadlineMs: options.rerankDeadlineMs,
      onFailure: warnOf('searching without the reranker: it gave no usable scores'),
    });
  const embedder = await openStoreEmbedder(options);
  const engine = engineOf(options);
  const store = await engine.open(options, {
    embedder: embedder.identity,
    log,
    clock,
    newId,
    onMismatch,
    isPatient: onMismatch === 'rebuild',
    derive: (documents) => toIndexes(documents, embedder),
  });
  const embedQuery = createQueryEmbedder(embedder, {
    ...timing,
    onFailure: warnOf('searching by words alone: the query could not be embedded'),
  });
  const embedPassages = createPassageEmbedder(embedder, {
    ...timing,
    onFailure: warnOf('storing without vectors, which are made later'),
  });
  const embedWaiting = (): Promise<number> => store.embedWaiting(embedder.embed);
  const endEmbedding = startEmbeddingWaiting({ embedWaiting, log, intervalMs: options.embedWaitingEveryMs });
  const { sizeOf } = engine;
  const knowledgeBase = createKnowledgeBase({
    store,
    embedder,
    embedPassages,
    embedQuery,
    rerank,
    isolation,
    clock,
    newId,
    log,
    sizeOf: sizeOf && (() => sizeOf(options)),
  });
  const close = async (): Promise<void> => {
    await endEmbedding();
    await knowledgeBase.close();
  };
  return { ...knowledgeBase, close };
}
