import { ContextloomError } from '@contextloom/contracts';
import {
  type ChatModelChoice,
  countTokens,
  createCircuitBreaker,
  createQueryEmbedder,
  createSearchReranker,
  type Embedder,
  type EmbeddingChoice,
  openChatModel,
  openEmbedder,
  openReranker,
  type RerankChoice,
} from '@contextloom/llm';
import { toRelevanceScale } from '@contextloom/retrieval/ranking';
import type { Log } from '@contextloom/runtime';
import { type EmbedTexts, type SplitContent, splitContent } from './domain/ingest/prepare.ts';
import { toSameSubject } from './domain/ingest/same-subject.ts';
import { createProjectMemory, type ProjectMemory } from './domain/project-memory.ts';
import type { MemoryStore } from './domain/store.ts';
import { createAnalyst } from './model/analyst.ts';
import { type PendingEmbeddings, startPendingEmbeddings } from './model/pending-embeddings.ts';
import type { StoreEngine } from './store/database.ts';
import type { Layout } from './store/postgres/schema/layout.ts';
import { createSqlMemoryStore } from './store/sql-memory-store.ts';

/** How long an ingest waits for vectors, in milliseconds. */
const DEADLINE_MS = 30_000;

/** Builds the function that embeds what is stored: a memory is kept without vectors rather than lost. */
export function createEmbedTexts({ embed }: Pick<Embedder, 'embed'>, log: Log): EmbedTexts {
  const breaker = createCircuitBreaker();
  return async (texts) => {
    if (texts.length === 0) return [];
    if (breaker.openReason() !== undefined) return undefined;
    try {
      return await breaker.run(() => embed(texts, AbortSignal.timeout(DEADLINE_MS)));
    } catch (cause) {
      log.warn({ cause, texts: texts.length }, 'the embedder could not be used; vectors are made later');
      return undefined;
    }
  };
}

/** Where memories are kept. */
export interface DatabaseChoice {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly layout?: Layout | undefined;
}

/** What is opened, as the settings say. */
export interface OpenOptions extends DatabaseChoice, EmbeddingChoice, ChatModelChoice, RerankChoice {
  readonly ownerId: string;
  readonly onMismatch?: 'refuse' | 'rebuild';
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

/** A project memory with what stands behind it. */
export interface OpenedMemory {
  readonly memory: ProjectMemory;
  readonly store: MemoryStore;
  readonly pending: PendingEmbeddings;
  readonly close: () => Promise<void>;
}

/** Opens the engine that the settings name; each is loaded by those who use it. */
export async function openEngine({ databaseUrl, dataDir, layout }: DatabaseChoice, log: Log): Promise<StoreEngine> {
  if (databaseUrl !== undefined) {
    const { openPgDatabase } = await import('./store/postgres/pg-database.ts');
    const { createPostgresEngine } = await import('./store/postgres/engine.ts');
    const onLost = (cause: unknown): void => log.warn({ cause }, 'a database connection broke');
    return createPostgresEngine(openPgDatabase({ url: databaseUrl, onLost }), { layout });
  }
  if (layout !== undefined && layout !== 'plain') {
    const message = `PROJECT_MEMORY_LAYOUT=${layout} is for the tables of a Postgres server: set DATABASE_URL, or leave it out`;
    throw new ContextloomError('invalid', message, { field: 'PROJECT_MEMORY_LAYOUT' });
  }
  const { openFolder } = await import('./store/sqlite/open-folder.ts');
  return openFolder(dataDir, log);
}

/**
 * Opens store, models and embedder, and what works with them.
 * @throws ContextloomError that names the setting to look at
 */
export async function openProjectMemory(options: OpenOptions): Promise<OpenedMemory> {
  const { ownerId, onMismatch = 'refuse', clock, newId, log } = options;
  const [embedder, model, reranker] = await Promise.all([
    openEmbedder(options),
    openChatModel(options),
    openReranker(options),
  ]);
  const engine = await openEngine(options, log);
  const split: SplitContent = (content) => splitContent(content, countTokens);
  const store = await createSqlMemoryStore(engine, { space: embedder.identity, onMismatch, split }).catch(
    async (error: unknown) => {
      await engine.database.close();
      throw error;
    },
  );
  const onFailure = (cause: unknown): void => log.warn({ cause }, 'a search goes on without a model');
  const embed = createEmbedTexts(embedder, log);
  const pending = startPendingEmbeddings({ ownerId, store, embedder, log });
  const { rerankDeadlineMs: deadlineMs } = options;
  const memory = createProjectMemory({
    ownerId,
    store,
    embed,
    countTokens,
    clock,
    newId,
    onImported: pending.begin,
    scale: toRelevanceScale(embedder.identity),
    sameSubject: toSameSubject(embedder.identity.provider),
    analyst: createAnalyst({ model, log, deadlineMs: Math.min(options.llmTimeoutMs, 20_000) }),
    embedQuery: createQueryEmbedder(embedder, { onFailure }),
    rerank: reranker && createSearchReranker(reranker, { deadlineMs, onFailure }),
  });
  return {
    memory,
    store,
    pending,
    close: async () => {
      await pending.stop();
      await store.close();
    },
  };
}
