import { loadOptional } from '@contextloom/contracts';
import {
  type ChatModelChoice,
  countTokens,
  createQueryEmbedder,
  createSearchReranker,
  type EmbeddingChoice,
  openChatModel,
  openEmbedder,
  openReranker,
  type RerankChoice,
} from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import { toRelevanceScale } from '@contextloom/retrieval/ranking';
import { type SplitContent, splitContent } from './domain/ingest/prepare.ts';
import { toSameSubject } from './domain/ingest/same-subject.ts';
import { createProjectMemory, type ProjectMemory } from './domain/project-memory.ts';
import type { MemoryStore } from './domain/store.ts';
import { createAnalyst } from './model/analyst.ts';
import { createEmbedTexts } from './model/embed-texts.ts';
import { type PendingEmbeddings, startPendingEmbeddings } from './model/pending-embeddings.ts';
import type { SqlDatabase } from './store/database.ts';
import type { Layout } from './store/schema/layout.ts';
import { createSqlMemoryStore } from './store/sql-memory-store.ts';

/** Where memories are kept. */
export interface DatabaseChoice {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** How the folder is used; `shared` unless told otherwise. A Postgres server is always shared. */
  readonly use?: 'shared' | 'alone';
}

/** What is opened, as the settings say. */
export interface OpenOptions extends DatabaseChoice, EmbeddingChoice, ChatModelChoice, RerankChoice {
  readonly ownerId: string;
  readonly onMismatch?: 'refuse' | 'rebuild';
  readonly layout?: Layout | undefined;
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

/** 28 MB, which those who have a Postgres server, or no projects, never use. */
const embedded = {
  needs: 'project memory without DATABASE_URL needs',
  packages: ['@electric-sql/pglite@0.5.14', '@electric-sql/pglite-pgvector@0.0.15'],
};

/**
 * Loads the embedded Postgres.
 * @throws ContextloomError `unavailable`, with the sentence that says how to install it
 */
export const loadEmbedded = () => loadOptional(embedded, () => import('./store/pglite/pglite-database.ts'));

/** Opens the database that the settings name; each engine is loaded by those who use it. */
export async function openSqlDatabase(choice: DatabaseChoice, log: Log): Promise<SqlDatabase> {
  const { databaseUrl, dataDir: folder, use = 'shared' } = choice;
  if (databaseUrl !== undefined) {
    const { openPgDatabase } = await import('./store/postgres/pg-database.ts');
    return openPgDatabase({ url: databaseUrl, onLost: (cause) => log.warn({ cause }, 'a database connection broke') });
  }
  const { openPgliteDatabase } = await loadEmbedded();
  return openPgliteDatabase({
    ...{ folder, use },
    onUpkeepFailed: (cause) => log.warn({ cause }, 'the tables could not be kept in order'),
    onUnserved: (cause) => log.warn({ cause, folder }, 'other processes cannot use the folder while this one does'),
  });
}

/**
 * Opens store, models and embedder, and what works with them.
 * @throws ContextloomError that names the setting to look at
 */
export async function openProjectMemory(options: OpenOptions): Promise<OpenedMemory> {
  const { ownerId, onMismatch = 'refuse', layout, clock, newId, log } = options;
  const [embedder, model, reranker] = await Promise.all([
    openEmbedder(options),
    openChatModel(options),
    openReranker(options),
  ]);
  const database = await openSqlDatabase(options, log);
  const split: SplitContent = (content) => splitContent(content, countTokens);
  const store = await createSqlMemoryStore(database, { space: embedder.identity, onMismatch, layout, split }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const onFailure = (cause: unknown): void => log.warn({ cause }, 'a search goes on without a model');
  const embed = createEmbedTexts(embedder, log);
  const pending = startPendingEmbeddings({ ownerId, store, embedder, log });
  const { rerankDeadlineMs: deadlineMs } = options;
  const memory = createProjectMemory({
    ...{ ownerId, store, embed, countTokens, clock, newId, onImported: pending.begin },
    scale: toRelevanceScale(embedder.identity),
    sameSubject: toSameSubject(embedder.identity.provider),
    analyst: createAnalyst({ model, log, deadlineMs: Math.min(options.llmTimeoutMs, 20_000) }),
    embedQuery: createQueryEmbedder(embedder, { onFailure }),
    rerank: reranker && createSearchReranker(reranker, { deadlineMs, onFailure }),
  });
  return {
    ...{ memory, store, pending },
    close: async () => {
      await pending.stop();
      await store.close();
    },
  };
}
