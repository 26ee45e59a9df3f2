import {
  ContextloomError,
  DECISION_TAG,
  isContextloomError,
  type JsonObject,
  type KnowledgeClient,
  listRequestSchema,
  MEMORY_TAG,
  memoryTypeSchema,
  readRetraction,
  retractionKeys,
  type StoredDocument,
  SUPERSEDED_TAG,
  searchRequestSchema,
} from '@contextloom/contracts';
import { readCalledAt } from '../domain/called-at.ts';
import type { MemoryDocument, MemoryStore, NearMemory, RecordedMemory } from '../domain/memory-store.ts';
import { parseRetraction, type Retraction } from '../domain/retractions/retraction.ts';

async function save(knowledge: KnowledgeClient, memories: readonly MemoryDocument[]): Promise<void> {
  // What is read is nobody's correction.
  const ids = await knowledge.add(memories.map((memory) => ({ ...memory, retract: false })));
  if (ids.length === memories.length) return;
  throw new ContextloomError(
    'unavailable',
    `the knowledge base acknowledged ${ids.length} of ${memories.length} memories`,
  );
}

type RecordedDocument = Pick<StoredDocument, 'content' | 'metadata' | 'keys'>;

/** What the document of a memory tells of how it was recorded. */
export function toRecorded({ content, metadata, keys = [] }: RecordedDocument): RecordedMemory {
  const text = (key: string): string | undefined => {
    const value = metadata[key];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (key: string): number | undefined => {
    const value = metadata[key];
    return typeof value === 'number' ? value : undefined;
  };
  return {
    content,
    keys,
    extractor: text('extractor'),
    episode: text('episode'),
    facts: number('facts'),
    leftOut: number('left_out') ?? 0,
    hasFailed: text('extraction_failure') !== undefined,
    session: text('session'),
    position: number('position'),
    calledAt: readCalledAt(metadata),
    savedAt: text('created_at'),
    importId: text('import'),
    metadata,
  };
}

/** So many documents are deleted at once: those that wait for each other share a write to the disk. */
const FORGOTTEN_AT_ONCE = 32;

async function forget(knowledge: KnowledgeClient, userId: string, ids: readonly string[]): Promise<void> {
  const rest = ids.values();
  const work = async (): Promise<void> => {
    for (const id of rest) {
      await knowledge.delete({ id, userId }, { retract: false }).catch((error: unknown) => {
        if (!isContextloomError(error) || error.code !== 'not_found') throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(FORGOTTEN_AT_ONCE, ids.length) }, work));
}

/** All documents under a filter, page by page; with one of some tags, unless there are none. */
async function listAll(
  knowledge: KnowledgeClient,
  metadata: JsonObject,
  tags: readonly string[] = [MEMORY_TAG, SUPERSEDED_TAG],
): Promise<readonly StoredDocument[]> {
  const documents: StoredDocument[] = [];
  let cursor: string | undefined;
  do {
    const filter = { ...(tags.length > 0 && { tags_any: tags }), metadata_filter: metadata, limit: 200 };
    const page = await knowledge.list(listRequestSchema.parse({ ...filter, cursor }));
    documents.push(...page.documents);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return documents;
}

async function listRecorded(knowledge: KnowledgeClient, userId: string, transcript: string) {
  const documents = await listAll(knowledge, { user_id: userId, transcript });
  return new Map(documents.map((document) => [document.id, toRecorded(document)]));
}

async function listOpenings(knowledge: KnowledgeClient, userId: string, head: string) {
  const documents = await listAll(knowledge, { user_id: userId, head });
  return documents.map(({ content, metadata }) => ({
    content,
    transcript: String(metadata['transcript']),
    isCorrected: readRetraction(metadata) !== undefined,
  }));
}

/** Corrected memories, and the marks of deleted ones. */
async function listRetractions(knowledge: KnowledgeClient, userId: string): Promise<readonly Retraction[]> {
  const filter = { user_id: userId, [retractionKeys.how]: { in: ['corrected', 'deleted'] } };
  // Who corrects a memory may give it other tags.
  const documents = await listAll(knowledge, filter, []);
  return documents.flatMap(({ id, metadata }) => parseRetraction(id, metadata) ?? []);
}

/** What other programs keep under the tag of memories has types of its own, and is theirs to change. */
const FACTS: JsonObject = { memory_type: { in: memoryTypeSchema.options.filter((type) => type !== 'episode') } };

function toMemoryDocument({ id, content, tags, metadata, keys }: StoredDocument): MemoryDocument {
  return { doc_id: id, content, tags, metadata, ...(keys !== undefined && { keys }) };
}

async function get(knowledge: KnowledgeClient, userId: string, id: string): Promise<MemoryDocument | undefined> {
  const found = await knowledge.get({ id, userId }).catch((error: unknown) => {
    if (!isContextloomError(error) || error.code !== 'not_found') throw error;
    return undefined;
  });
  return found === undefined ? undefined : toMemoryDocument(found);
}

/** However little fits: a fact that another one makes untrue seldom has much of its words. */
async function findNear(knowledge: KnowledgeClient, userId: string, text: string, limit: number) {
  const filter = { tags: [MEMORY_TAG], metadata_filter: { user_id: userId, ...FACTS } };
  const request = { query: text, ...filter, top_k: limit, min_score: 0 };
  const hits = await knowledge.search(searchRequestSchema.parse(request));
  return hits.map(({ id, content, tags, metadata }): NearMemory => ({ doc_id: id, content, tags, metadata }));
}

/** Keeps memories in a knowledge base, over whatever its client speaks; closing the store closes the client. */
export function createKnowledgeBaseStore(knowledge: KnowledgeClient): MemoryStore {
  return {
    save: (memories) => save(knowledge, memories),
    listRecorded: (userId, transcript) => listRecorded(knowledge, userId, transcript),
    listOpenings: (userId, head) => listOpenings(knowledge, userId, head),
    findNear: (userId, text, limit) => findNear(knowledge, userId, text, limit),
    listFacts: async (userId) => (await listAll(knowledge, { user_id: userId, ...FACTS })).map(toMemoryDocument),
    listDecisions: async (userId) =>
      (await listAll(knowledge, { user_id: userId }, [DECISION_TAG])).map(toMemoryDocument),
    listImported: async (userId, importId) =>
      (await listAll(knowledge, { user_id: userId, import: importId }, [MEMORY_TAG, SUPERSEDED_TAG, DECISION_TAG])).map(
        toMemoryDocument,
      ),
    listRetractions: (userId) => listRetractions(knowledge, userId),
    get: (userId, id) => get(knowledge, userId, id),
    forget: (userId, ids) => forget(knowledge, userId, ids),
    close: () => knowledge.close(),
  };
}
