import { existsSync } from 'node:fs';
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
import { startErasing } from '@contextloom/runtime/scheduling';
import type { ToLifetime } from './domain/ends/to-end.ts';
import { clearEnded } from './domain/ends/without-ended.ts';
import { type EmbedTexts, type SplitContent, splitContent } from './domain/ingest/prepare.ts';
import { toSameSubject } from './domain/ingest/same-subject.ts';
import { createProjectMemory, type ProjectMemory } from './domain/project-memory.ts';
import type { MemoryStore } from './domain/store.ts';
import { createAnalyst } from './model/analyst.ts';
import { type PendingEmbeddings, startPendingEmbeddings } from './model/pending-embeddings.ts';
import type { StoreEngine } from './store/database.ts';
import {
  type MigrateMemoriesOptions,
  type MigrateMemoriesReport,
  migrateMemories,
} from './store/migrating/migrate-memories.ts';
import type { Layout } from './store/postgres/schema/layout.ts';
import type { PrepareOptions } from './store/space.ts';
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
  /** After how long a memory is forgotten that does not say when. */
  readonly toLifetime?: ToLifetime | undefined;
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
    const { withFormerFolder } = await import('./store/migrating/former-folder.ts');
    const engine = createPostgresEngine(openPgDatabase({ url: databaseUrl, onLost }), { layout });
    return { ...engine, forget: withFormerFolder(engine.forget, dataDir) };
  }
  if (layout !== undefined && layout !== 'plain') {
    const message = `PROJECT_MEMORY_LAYOUT=${layout} is for the tables of a Postgres server: set DATABASE_URL, or leave it out`;
    throw new ContextloomError('invalid', message, { field: 'PROJECT_MEMORY_LAYOUT' });
  }
  const { openFolder } = await import('./store/sqlite/open-folder.ts');
  return openFolder(dataDir, log);
}

/** Opens the store of an engine that the settings name, and its database; closing the store closes that. */
async function openStore(choice: DatabaseChoice, how: PrepareOptions, log: Log) {
  const engine = await openEngine(choice, log);
  const split: SplitContent = (content) => splitContent(content, countTokens);
  const store = await createSqlMemoryStore(engine, { ...how, split }).catch(async (error: unknown) => {
    await engine.database.close();
    throw error;
  });
  return { store, database: engine.database };
}

/** What moving the memories between the folder and Postgres takes. */
export interface MoveOptions extends DatabaseChoice, EmbeddingChoice, Pick<MigrateMemoriesOptions, 'signal'> {
  readonly log: Log;
}

/**
 * Copies the memories of all owners from the folder to the Postgres server, or back; undefined where there is no folder.
 * @throws ContextloomError `invalid` for another engine, and where DATABASE_URL names no server
 */
export async function moveMemories(to: string, options: MoveOptions): Promise<MigrateMemoriesReport | undefined> {
  const { dataDir, databaseUrl, log, signal } = options;
  if (to !== 'postgres' && to !== 'sqlite') {
    throw new ContextloomError('invalid', `--migrate must be postgres or sqlite; got "${to}"`, { field: 'migrate' });
  }
  if (databaseUrl === undefined) {
    const message = 'DATABASE_URL must be the address of a Postgres server';
    throw new ContextloomError('invalid', message, { field: 'DATABASE_URL' });
  }
  if (to === 'postgres' && !existsSync(dataDir)) return undefined;
  const how = { space: (await openEmbedder(options)).identity, onMismatch: 'refuse' } as const;
  const postgres = await openStore(options, how, log);
  try {
    const folder = await openStore({ dataDir, databaseUrl: undefined }, how, log);
    try {
      const [source, target] = to === 'postgres' ? [folder, postgres] : [postgres, folder];
      return await migrateMemories({ source, target, signal, onProgress: (line) => log.info({}, line) });
    } finally {
      await folder.store.close();
    }
  } finally {
    await postgres.store.close();
  }
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
  const { store } = await openStore(options, { space: embedder.identity, onMismatch }, log);
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
    toLifetime: options.toLifetime,
    scale: toRelevanceScale(embedder.identity),
    sameSubject: toSameSubject(embedder.identity.provider),
    analyst: createAnalyst({ model, log, deadlineMs: Math.min(options.llmTimeoutMs, 20_000) }),
    embedQuery: createQueryEmbedder(embedder, { onFailure }),
    rerank: reranker && createSearchReranker(reranker, { deadlineMs, onFailure }),
  });
  const endErasing = startErasing(async () => {
    await clearEnded(store, { ownerId, clock });
    return store.eraseDeleted();
  }, log);
  return {
    memory,
    store,
    pending,
    close: async () => {
      await Promise.all([pending.stop(), endErasing()]);
      await store.close();
    },
  };
}
