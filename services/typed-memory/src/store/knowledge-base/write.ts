import {
  ContextloomError,
  DERIVED_FROM_KEY,
  type ErrorCode,
  EXPIRY_KEY,
  isContextloomError,
  type KnowledgeClient,
  type StoredDocument,
} from '@contextloom/contracts';
import type { MemoryDraft } from '../../domain/memory.ts';
import type { AddOutcome } from '../../domain/typed-memory-store.ts';
import {
  DELETED,
  toDocuments,
  toMemory,
  toMemoryId,
  toPassageIds,
  toPatch,
  toPrevious,
  toSourcesAgain,
} from './documents.ts';
import { type ToLifetime, withNextEnd } from './ends.ts';

/** How often a write is retried after a conflict with another process, before it fails. */
const MAX_ATTEMPTS = 30;

/** What writing works with. */
export interface WriteOptions {
  readonly knowledge: KnowledgeClient;
  readonly clock: () => Date;
  readonly toLifetime?: ToLifetime | undefined;
}

/** Reads a document; undefined if it does not exist. */
export async function findDocument(
  knowledge: KnowledgeClient,
  userId: string,
  id: string,
): Promise<StoredDocument | undefined> {
  try {
    return await knowledge.get({ id, userId });
  } catch (error) {
    if (isContextloomError(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Returns `again` when another process came between what was read and the change that rests on it, which the codes tell. */
export async function unlessOvertaken<T>(codes: readonly ErrorCode[], work: () => Promise<T>): Promise<T | 'again'> {
  try {
    return await work();
  } catch (error) {
    if (isContextloomError(error) && codes.includes(error.code)) return 'again';
    throw error;
  }
}

/** Writes what is not there yet, or the next value of a fact, which keeps the one before; the knowledge base arbitrates. */
async function attempt(
  { knowledge, clock, toLifetime }: WriteOptions,
  userId: string,
  draft: MemoryDraft,
): Promise<AddOutcome | 'again'> {
  const [id, at, { type }] = [toMemoryId(userId, draft), clock(), draft];
  const document = await findDocument(knowledge, userId, id);
  if (document === undefined) {
    const [memory, ...passages] = toDocuments(userId, draft, { now: at });
    return unlessOvertaken(['conflict'], async () => {
      await knowledge.add([{ ...memory, if_absent: true }, ...passages]);
      return { id, kind: 'added', type };
    });
  }
  const before = toMemory(document);
  const next = (): MemoryDraft => withNextEnd(document, draft, { userId, now: at, toLifetime });
  if (document.tags.includes(DELETED)) return revive({ knowledge, document, userId, draft: next(), at });
  if (draft.key === undefined || before.content === draft.content) {
    const sources = toSourcesAgain(document, draft);
    const end = draft.expiresAt === undefined ? {} : { [EXPIRY_KEY]: new Date(draft.expiresAt).toISOString() };
    if (sources === undefined && draft.expiresAt === undefined) return { id, kind: 'known', type };
    const rests = sources && { [DERIVED_FROM_KEY]: sources.length === 0 ? null : [...sources] };
    const metadata = { ...rests, ...end };
    return unlessOvertaken(['precondition_failed', 'not_found'], async () => {
      for (const part of draft.expiresAt === undefined ? [] : toPassageIds(document)) {
        await knowledge.update({ id: part, userId }, { metadata: end });
      }
      await knowledge.update({ id, userId, version: document.version }, { metadata });
      return { id, kind: 'known', type };
    });
  }
  const [memory] = toDocuments(userId, next(), { now: at, previous: toPrevious(before, at) });
  return unlessOvertaken(['precondition_failed', 'not_found'], async () => {
    await knowledge.update({ id, userId, version: document.version }, toPatch(document, memory));
    return { id, kind: 'updated', type };
  });
}

interface Revival {
  readonly knowledge: KnowledgeClient;
  readonly document: StoredDocument;
  readonly userId: string;
  readonly draft: MemoryDraft;
  readonly at: Date;
}

/** Brings a deleted memory back, with what it said before. */
function revive({ knowledge, document, userId, draft, at }: Revival): Promise<AddOutcome | 'again'> {
  const { id, version } = document;
  const { content, previous = [] } = toMemory(document);
  const earlier = content === draft.content ? previous : toPrevious({ content, previous }, at);
  const [memory, ...passages] = toDocuments(userId, draft, { now: at, previous: earlier });
  return unlessOvertaken(['precondition_failed', 'not_found'], async () => {
    await knowledge.update({ id, userId, version }, toPatch(document, memory));
    if (passages.length > 0) await knowledge.add(passages);
    return { id, kind: 'added', type: draft.type };
  });
}

/**
 * Writes a memory unless it is there already. Two processes may write one fact at once: each of their values becomes the
 * present one or a previous one.
 */
export async function writeMemory(options: WriteOptions, userId: string, draft: MemoryDraft): Promise<AddOutcome> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const outcome = await attempt(options, userId, draft);
    if (outcome !== 'again') return outcome;
  }
  throw new ContextloomError('unavailable', 'the memory is being changed by others; try again');
}
