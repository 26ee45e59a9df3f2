import { ContextloomError, type KnowledgeClient, type StoredDocument } from '@contextloom/contracts';
import type { MemoryDraft, StoredMemory } from '../../domain/memory.ts';
import type { Removal } from '../../domain/typed-memory-store.ts';
import {
  DELETED,
  DELETED_PASSAGE,
  MEMORY,
  PASSAGE,
  toDocuments,
  toMemory,
  toPatch,
  toPrevious,
  typeTag,
} from './documents.ts';
import { withEndOf } from './ends.ts';
import { listTagged } from './list.ts';
import { findDocument, unlessOvertaken, type WriteOptions } from './write.ts';

/** How often a change is tried again after another process came between, before it fails. */
const MAX_ATTEMPTS = 30;

async function repeat<T>(attempt: () => Promise<T | 'again'>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const outcome = await attempt();
    if (outcome !== 'again') return outcome;
  }
  throw new ContextloomError('unavailable', 'the memory is being changed by others; try again');
}

async function findMemory(knowledge: KnowledgeClient, userId: string, id: string): Promise<StoredDocument | undefined> {
  const document = await findDocument(knowledge, userId, id);
  return document?.tags.includes(MEMORY) === true ? document : undefined;
}

async function listPassages(
  knowledge: KnowledgeClient,
  userId: string,
  id: string,
): Promise<readonly StoredDocument[]> {
  const found: StoredDocument[] = [];
  for await (const document of listTagged(knowledge, userId, PASSAGE, { memory_id: id })) found.push(document);
  return found;
}

/**
 * Gives a memory other words; those it had become its newest previous value. The memory itself changes first, under its
 * version: of two changes at once each becomes the present or a previous value.
 */
export function replaceMemory(
  { knowledge, clock }: WriteOptions,
  userId: string,
  { id, toDraft }: { readonly id: string; readonly toDraft: (before: StoredMemory) => MemoryDraft },
): Promise<StoredMemory | undefined> {
  return repeat(async () => {
    const document = await findMemory(knowledge, userId, id);
    if (document === undefined) return undefined;
    const before = toMemory(document);
    const now = clock();
    const draft = withEndOf(document, { ...toDraft(before), id });
    const [memory, ...passages] = toDocuments(userId, draft, { now, previous: toPrevious(before, now) });
    return unlessOvertaken(['precondition_failed', 'not_found'], async () => {
      const old = document.metadata['passages'] === undefined ? [] : await listPassages(knowledge, userId, id);
      const changed = await knowledge.update({ id, userId, version: document.version }, toPatch(document, memory));
      if (passages.length > 0) await knowledge.add(passages);
      const kept = new Set(passages.map(({ doc_id }) => doc_id));
      for (const { id: passage } of old) if (!kept.has(passage)) await knowledge.delete({ id: passage, userId });
      return toMemory(changed);
    });
  });
}

/**
 * Takes a memory out of all that finds or lists memories. It stays as a version that adding the same text brings back, unless
 * it is erased; a sealed item always is.
 */
export function removeMemory(
  { knowledge, clock }: WriteOptions,
  userId: string,
  { id, isErased }: Removal,
): Promise<boolean> {
  return repeat(async () => {
    const document = await findMemory(knowledge, userId, id);
    if (document === undefined) return isErased && eraseDeleted(knowledge, userId, id);
    const { type } = toMemory(document);
    const passages = document.metadata['passages'] === undefined ? [] : await listPassages(knowledge, userId, id);
    const address = { id, userId, version: document.version };
    const metadata = { deleted_at: clock().toISOString() };
    const isGone = isErased || type === 'knowledge_vault';
    return unlessOvertaken(['precondition_failed', 'not_found'], async () => {
      if (isGone) await knowledge.delete(address);
      else await knowledge.update(address, { tags: [DELETED, typeTag(DELETED, type)], metadata });
      for (const { id: passage } of passages) {
        if (isGone) await knowledge.delete({ id: passage, userId });
        else await knowledge.update({ id: passage, userId }, { tags: [DELETED_PASSAGE], metadata });
      }
      return true;
    });
  });
}

/** Erases what a deletion has left. */
async function eraseDeleted(knowledge: KnowledgeClient, userId: string, id: string): Promise<boolean> {
  const document = await findDocument(knowledge, userId, id);
  if (document?.tags.includes(DELETED) !== true) return false;
  for await (const passage of listTagged(knowledge, userId, DELETED_PASSAGE, { memory_id: id })) {
    await knowledge.delete({ id: passage.id, userId });
  }
  await knowledge.delete({ id, userId });
  return true;
}
