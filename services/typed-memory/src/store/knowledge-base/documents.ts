import { createHash } from 'node:crypto';
import {
  DERIVED_FROM_KEY,
  type DocumentInput,
  type DocumentPatch,
  EXPIRY_KEY,
  type JsonObject,
  MEMORY_TAG,
  readSaidBy,
  readSources,
  type SearchResult,
  type StoredDocument,
  TYPED_TAGS,
  toTrustMetadata,
} from '@contextloom/contracts';
import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { chunkText } from '@contextloom/retrieval/chunk';
import { toDetails } from '../../domain/details.ts';
import type { FoundMemory, MemoryDraft, PreviousValue, StoredMemory } from '../../domain/memory.ts';

/** The tag of every memory, that of the passages of a long one, and those of what was deleted and not erased, which nothing searches. */
export const [MEMORY, PASSAGE, DELETED, DELETED_PASSAGE] = TYPED_TAGS;

/** The tag of what is of a type. */
export const typeTag = (tag: typeof MEMORY | typeof PASSAGE | typeof DELETED, type: MemoryType): string =>
  `${tag}/${type}`;

/** Longer memories are kept in passages, each a document, so that what stands deep in one is found; in UTF-16 code units. */
const MAX_WHOLE = 4_000;
const PASSAGE_LENGTH = 2_000;
/** Fewer than a batch of the knowledge base takes. */
const MAX_PASSAGES = 900;
/** How much of a long memory stands in its own document. */
const HEAD_LENGTH = 500;
const MAX_PREVIOUS = 20;

/** A document about to be stored. */
type NewDocument = DocumentInput & { readonly doc_id: string };

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** The id of a memory: the same text again is the same memory, and so is the next value of a core fact. */
export function toMemoryId(userId: string, draft: MemoryDraft): string {
  const { id, type, key, content, context = '', occurredAt = '' } = draft;
  if (id !== undefined) return id;
  if (key !== undefined) return `mem-${hash(userId, type, 'key', key)}`;
  return `mem-${hash(userId, type, content, context, occurredAt.slice(0, 10))}`;
}

/** What is searched: the words of the context find the memory too. */
function toText(content: string, context: string | undefined): string {
  return context === undefined ? content : `${content}\n\n(${context})`;
}

/** Longer ones than passages can be made of are cut into longer passages. */
function toPassages(content: string): readonly string[] {
  if (content.length <= MAX_WHOLE) return [];
  const size = Math.max(PASSAGE_LENGTH, Math.ceil((content.length / MAX_PASSAGES) * 2));
  return chunkText(content, { countTokens: (text) => text.length, size, overlap: 0 }).map(({ text }) => text);
}

function toMetadata(userId: string, id: string, draft: MemoryDraft, writtenAt: Date): JsonObject {
  const { type, context, importance, occurredAt, key, sealed, details, trust = 'user', derivedFrom, expiresAt } = draft;
  const { title, kind, location, concept } = details;
  const given = { context, key, occurred_at: occurredAt, vault: sealed, title, kind, location, concept };
  return {
    user_id: userId,
    memory_id: id,
    memory_type: type,
    importance,
    created_at: writtenAt.toISOString(),
    written_ms: writtenAt.getTime(),
    ...(occurredAt !== undefined && { occurred_ms: Date.parse(occurredAt) }),
    ...toTrustMetadata([trust]),
    ...(derivedFrom !== undefined && { [DERIVED_FROM_KEY]: [...derivedFrom] }),
    ...(expiresAt !== undefined && { [EXPIRY_KEY]: new Date(expiresAt).toISOString() }),
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  };
}

/** What a memory rests on that is stored again: on both sources, or on nothing where one of the two stands by itself; undefined where that is as it was. */
export function toSourcesAgain(
  { metadata }: Pick<StoredDocument, 'metadata'>,
  { derivedFrom = [] }: MemoryDraft,
): readonly string[] | undefined {
  const before = readSources(metadata);
  if (before.length === 0 || derivedFrom.every((one) => before.includes(one)) === derivedFrom.length > 0)
    return undefined;
  return derivedFrom.length === 0 ? [] : [...new Set([...before, ...derivedFrom])];
}

/** What a replaced value leaves behind, newest first. */
export function toPrevious(before: Pick<StoredMemory, 'content' | 'previous'>, now: Date): readonly PreviousValue[] {
  return [{ content: before.content, until: now.toISOString() }, ...(before.previous ?? [])].slice(0, MAX_PREVIOUS);
}

/** What prompts are built from carries the tag that they search; nothing of the vault does. */
const promptTags = (type: MemoryType): readonly string[] => (type === 'knowledge_vault' ? [] : [MEMORY_TAG]);

/** The documents of a memory: itself first, then its passages, which stand for it in prompts. */
export function toDocuments(
  userId: string,
  draft: MemoryDraft,
  { now, previous = [] }: { readonly now: Date; readonly previous?: readonly PreviousValue[] },
): readonly [NewDocument, ...NewDocument[]] {
  const id = toMemoryId(userId, draft);
  const { type, content, context } = draft;
  const passages = toPassages(content);
  const metadata = toMetadata(userId, id, draft, now);
  const shown = passages.length === 0 ? content : content.slice(0, HEAD_LENGTH);
  const memory = {
    doc_id: id,
    content: toText(shown, context),
    tags: [MEMORY, typeTag(MEMORY, type), ...(passages.length === 0 ? promptTags(type) : [])],
    metadata: {
      ...metadata,
      content_length: shown.length,
      ...(passages.length > 0 && { passages: passages.length }),
      ...(previous.length > 0 && { previous: JSON.stringify(previous) }),
    },
  };
  const parts = passages.map((text, at) => ({
    doc_id: `${id}-p${at}`,
    content: text,
    tags: [PASSAGE, typeTag(PASSAGE, type), ...promptTags(type)],
    metadata: { ...metadata, content_length: text.length, passage: at },
  }));
  return [memory, ...parts];
}

/** The ids of the passages that stand for a long memory. */
export const toPassageIds = ({ id, metadata }: Pick<StoredDocument, 'id' | 'metadata'>): readonly string[] =>
  Array.from({ length: Number(metadata['passages'] ?? 0) }, (_, at) => `${id}-p${at}`);

/** The change of a stored document into another, whole: what the new one lacks is removed. */
export function toPatch(
  before: Pick<StoredDocument, 'metadata'>,
  { content, tags, metadata }: NewDocument,
): DocumentPatch {
  const gone = Object.keys(before.metadata).filter((key) => !(key in metadata));
  return { content, tags, metadata: { ...Object.fromEntries(gone.map((key) => [key, null])), ...metadata } };
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function toType(value: unknown): MemoryType {
  return memoryTypes.find((type) => type === value) ?? 'semantic';
}

function parsePrevious(value: unknown): readonly PreviousValue[] {
  return typeof value === 'string' ? JSON.parse(value) : [];
}

type ReadDocument = Pick<StoredDocument, 'id' | 'content' | 'metadata'> &
  Partial<Pick<StoredDocument, 'created_at' | 'updated_at'>>;

/** The memory that a document is, or that it is a passage of. */
export function toMemory({
  id,
  content,
  metadata,
  created_at: createdAt,
  updated_at: updatedAt,
}: ReadDocument): StoredMemory {
  const { content_length: length, importance, passage, passages, written_ms: writtenMs } = metadata;
  const type = toType(metadata['memory_type']);
  const text = typeof length === 'number' ? content.slice(0, length) : content;
  const context = asText(metadata['context']);
  const { title, kind, location, concept, ...read } = toDetails(type, text, context);
  const kept = {
    title: metadata['title'],
    kind: metadata['kind'],
    location: metadata['location'],
    concept: metadata['concept'],
  };
  const previous = parsePrevious(metadata['previous']);
  return {
    id: asText(metadata['memory_id']) ?? id,
    type,
    content: text,
    context,
    importance: typeof importance === 'number' ? importance : undefined,
    occurredAt: asText(metadata['occurred_at']),
    key: asText(metadata['key']),
    sealed: asText(metadata['vault']),
    trust: readSaidBy(metadata).at(-1),
    createdAt,
    updatedAt: typeof writtenMs === 'number' ? new Date(writtenMs).toISOString() : updatedAt,
    isPassage: passage !== undefined || passages !== undefined,
    details: {
      ...Object.fromEntries(
        Object.entries(kept).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ),
      ...read,
    },
    ...(previous.length > 0 && { previous }),
  };
}

/** The best document of each memory, in their order. */
export function toFound(
  results: readonly (ReadDocument & Pick<SearchResult, 'score' | 'relevance'>)[],
): readonly FoundMemory[] {
  const found = new Map<string, FoundMemory>();
  for (const result of results) {
    const { score, relevance } = result;
    const memory = { ...toMemory(result), score, relevance };
    const known = found.get(memory.id);
    // The head of a long memory says less than the passage that matched.
    const isBetter =
      known === undefined || (result.metadata['passage'] !== undefined && known.content.length === HEAD_LENGTH);
    // Its score is that of the first.
    if (isBetter)
      found.set(
        memory.id,
        known === undefined ? memory : { ...memory, score: known.score, relevance: known.relevance },
      );
  }
  return [...found.values()];
}
