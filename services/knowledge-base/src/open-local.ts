import { join } from 'node:path';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { createEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/mcp-kit';
import type { Isolation, KnowledgeBase } from './domain/knowledge-base.ts';
import { createKnowledgeBase } from './domain/local-knowledge-base.ts';
import { openEmbeddedStore } from './store/embedded-store.ts';

/** What a knowledge base in this process is opened from. */
export interface OpenLocalOptions {
  readonly dataDir: string;
  readonly isolation: Isolation;
  /** What turns text into vectors, by name. */
  readonly embeddingProvider: string;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** What to do with a store whose vectors another embedder made. */
  readonly onMismatch?: 'refuse' | 'rebuild';
}

/**
 * Opens the embedded store in its folder, which is made when missing.
 * @throws ContextloomError `unavailable` when the store cannot be used, naming its folder; `invalid` for an unknown embedder
 */
export async function openLocalKnowledgeBase(options: OpenLocalOptions): Promise<KnowledgeBase> {
  const { dataDir, isolation, embeddingProvider, clock, newId, log, onMismatch = 'refuse' } = options;
  const embedder = createEmbedder({ provider: embeddingProvider });
  const file = join(dataDir, 'knowledge-base.sqlite');
  const opening = openEmbeddedStore({ file, embedder: embedder.identity, onMismatch });
  const store = await opening.catch((error: unknown) => {
    if (!isContextloomError(error)) throw error;
    throw new ContextloomError(error.code, `${error.message} (KB_DATA_DIR is ${dataDir})`, { cause: error });
  });
  return createKnowledgeBase({ store, embedder, isolation, clock, newId, log });
}
