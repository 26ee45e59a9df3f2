import { randomUUID } from 'node:crypto';
import {
  createHttpKnowledgeBase,
  type HttpKnowledgeBaseOptions,
  type OpenKnowledgeClientOptions,
  openKnowledgeClient,
} from '@contextloom/knowledge-client';
import type { MemoryStore } from './domain/memory-store.ts';
import { createKnowledgeBaseStore } from './store/knowledge-base-store.ts';
import { version } from './version.ts';

/** What finding the knowledge base needs. */
export type OpenMemoryStoreOptions = Omit<OpenKnowledgeClientOptions, 'client' | 'newId'>;

/**
 * Opens the knowledge base that the settings name, for memories.
 * @throws ContextloomError `unavailable` when the settings name none, `invalid` for a composition that cannot be read
 */
export async function openMemoryStore(options: OpenMemoryStoreOptions): Promise<MemoryStore> {
  const client = { name: 'memory-processor', version };
  return createKnowledgeBaseStore(await openKnowledgeClient({ ...options, client, newId: randomUUID }));
}

/** What a knowledge base over HTTP is reached by. */
export type HttpMemoryStoreOptions = Omit<HttpKnowledgeBaseOptions, 'newId'>;

/** Keeps memories in a knowledge base over its HTTP service. */
export function createHttpMemoryStore(options: HttpMemoryStoreOptions): MemoryStore {
  return createKnowledgeBaseStore(createHttpKnowledgeBase({ ...options, newId: randomUUID }));
}
