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
import { startErasing, startRepeating } from '@contextloom/runtime/scheduling';
import { toIndexes } from './domain/indexing/indexing.ts';
import type { Isolation, KnowledgeBase } from './domain/knowledge-base.ts';
import {
  createKnowledgeBase,
  type KnowledgeBaseOptions,
  type LocalKnowledgeBase,
} from './domain/local-knowledge-base.ts';
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
  /** After how many milliseconds a document is forgotten that does not say when. */
  readonly toLifetime?: KnowledgeBaseOptions['toLifetime'];
  /** How often documents whose time has passed are erased, in milliseconds. */
  readonly forgetExpiredEveryMs?: number;
  /** How often documents are looked for that were stored while the embedder was out of reach, in milliseconds. */
  readonly embedWaitingEveryMs?: number;
}

const EXPIRY_LOOK_MS = 600_000;
/** What starts is not held up by it. */
const FIRST_LOOK_MS = 5_000;

/** Has documents erased whose time has passed, at once and from time to time; the function returned stops it after those under way. */
function startForgettingExpired({
  forgetExpired,
  log,
  intervalMs = EXPIRY_LOOK_MS,
}: Pick<LocalKnowledgeBase, 'forgetExpired'> & { readonly log: Log; readonly intervalMs?: number | undefined }) {
  const run = async (): Promise<void> => {
    const count = await forgetExpired();
    if (count > 0) log.info({ documents: count }, 'erased what has expired');
  };
  const onError = (cause: unknown): void =>
    log.warn({ cause }, 'what has expired could not be erased; this will be tried again');
  return startRepeating({ run, onError, everyMs: intervalMs, firstMs: Math.min(intervalMs, FIRST_LOOK_MS) });
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
    toLifetime: options.toLifetime,
    sizeOf: sizeOf && (() => sizeOf(options)),
  });
  const { forgetExpired } = knowledgeBase;
  const endForgetting = startForgettingExpired({ forgetExpired, log, intervalMs: options.forgetExpiredEveryMs });
  const { eraseRemoved = async () => false } = store;
  const endErasing = startErasing(eraseRemoved, log);
  const close = async (): Promise<void> => {
    await Promise.all([endForgetting(), endErasing()]);
    await endEmbedding();
    await knowledgeBase.close();
  };
  return { ...knowledgeBase, close };
}
