import {
  addManyResponseSchema,
  ContextloomError,
  isContextloomError,
  type JsonObject,
  listResponseSchema,
  MEMORY_TAG,
} from '@contextloom/contracts';
import type { z } from 'zod';
import type { MemoryDocument, MemoryStore, RecordedMemory } from './memory-store.ts';

/** How long the knowledge base may take over one order, in milliseconds. */
export const ORDER_TIMEOUT_MS = 60_000;

/** Sends one order to the knowledge base and brings back what it answered; rejects with `ContextloomError`. */
export type Send = (order: 'add' | 'list' | 'delete', body: JsonObject) => Promise<unknown>;

function readAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  throw new ContextloomError('unavailable', 'the knowledge base gave an answer that is not one of a knowledge base', {
    cause: result.error,
  });
}

async function save(send: Send, memories: readonly MemoryDocument[]): Promise<void> {
  const { document_ids: ids } = readAnswer(addManyResponseSchema, await send('add', { documents: memories }));
  if (ids.length === memories.length) return;
  throw new ContextloomError(
    'unavailable',
    `the knowledge base acknowledged ${ids.length} of ${memories.length} memories`,
  );
}

function toRecorded(content: string, metadata: JsonObject): RecordedMemory {
  const { extractor, left_out: leftOut, extraction_failure: failure, episode, facts } = metadata;
  return {
    content,
    extractor: typeof extractor === 'string' ? extractor : undefined,
    leftOut: typeof leftOut === 'number' ? leftOut : 0,
    hasFailed: typeof failure === 'string',
    episode: typeof episode === 'string' ? episode : undefined,
    facts: typeof facts === 'number' ? facts : undefined,
  };
}

async function forget(send: Send, userId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await send('delete', { doc_id: id, user_id: userId }).catch((error: unknown) => {
      if (!isContextloomError(error) || error.code !== 'not_found') throw error;
    });
  }
}

async function listRecorded(send: Send, userId: string, transcript: string) {
  const recorded = new Map<string, RecordedMemory>();
  let cursor: string | undefined;
  do {
    const filter = { tags: [MEMORY_TAG], metadata_filter: { user_id: userId, transcript }, limit: 200 };
    const page = readAnswer(
      listResponseSchema,
      await send('list', { ...filter, ...(cursor !== undefined && { cursor }) }),
    );
    for (const { id, content, metadata } of page.documents) {
      recorded.set(id, toRecorded(content, metadata));
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return recorded;
}

/** The memory store over a knowledge base, however orders reach it. */
export function createKnowledgeBaseStore(send: Send, close: () => Promise<void>): MemoryStore {
  return {
    save: (memories) => save(send, memories),
    listRecorded: (userId, transcript) => listRecorded(send, userId, transcript),
    forget: (userId, ids) => forget(send, userId, ids),
    close,
  };
}
