import { type KnowledgeClient, type ListSort, listRequestSchema, searchRequestSchema } from '@contextloom/contracts';
import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { createKeyedQueue } from '@contextloom/runtime/scheduling';
import type { FoundMemory, StoredMemory } from '../../domain/memory.ts';
import type { MemoryQuery, SealedItem, TypedMemoryStore, TypeOverview } from '../../domain/typed-memory-store.ts';
import { MEMORY, PASSAGE, toFound, toMemory, toMemoryId, typeTag } from './documents.ts';
import { removeMemory, replaceMemory } from './edit.ts';
import { listMemories, listTagged } from './list.ts';
import { findDocument, type WriteOptions, writeMemory } from './write.ts';

/** What the store is built from; closing it closes the client. */
export type KnowledgeBaseStoreOptions = WriteOptions;

/** Most results of one search of the knowledge base. */
const MAX_TOP_K = 100;

async function count(knowledge: KnowledgeClient, userId: string, tag: string, filter: object = {}): Promise<number> {
  const request = { tags: [tag], metadata_filter: { user_id: userId, ...filter }, limit: 1 };
  return (await knowledge.list(listRequestSchema.parse(request))).total;
}

function toSearchTags(types: readonly MemoryType[]): readonly string[] {
  const isAll = memoryTypes.every((type) => types.includes(type));
  return isAll ? [MEMORY, PASSAGE] : types.flatMap((type) => [typeTag(MEMORY, type), typeTag(PASSAGE, type)]);
}

const toLeast = (minScore: number | undefined) => (minScore === undefined ? {} : { min_score: minScore });

/** A long memory may fill a page of results with its passages: then the rest is requested. */
async function search(
  knowledge: KnowledgeClient,
  userId: string,
  { query, types, limit, minScore }: MemoryQuery,
): Promise<readonly FoundMemory[]> {
  const tags = toSearchTags(types);
  const found = new Map<string, FoundMemory>();
  const topK = Math.min(MAX_TOP_K, limit + 20);
  for (let round = 0; round < 4 && found.size < limit; round += 1) {
    const others = found.size === 0 ? {} : { memory_id: { nin: [...found.keys()] } };
    const filter = { tags_any: tags, metadata_filter: { user_id: userId, ...others } };
    const request = { query, ...filter, top_k: topK, ...toLeast(minScore) };
    const results = await knowledge.search(searchRequestSchema.parse(request));
    for (const memory of toFound(results)) found.set(memory.id, memory);
    if (results.length < topK) break;
  }
  return [...found.values()].slice(0, limit);
}

async function read(knowledge: KnowledgeClient, userId: string, id: string): Promise<StoredMemory | undefined> {
  const document = await findDocument(knowledge, userId, id);
  if (document?.tags.includes(MEMORY) !== true) return undefined;
  const memory = toMemory(document);
  if (document.metadata['passages'] === undefined) return memory;
  const parts: { readonly at: number; readonly text: string }[] = [];
  for await (const { content, metadata } of listTagged(knowledge, userId, PASSAGE, { memory_id: id })) {
    parts.push({ at: Number(metadata['passage']), text: content });
  }
  const content = parts
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join('');
  return { ...memory, content, isPassage: false };
}

/** How many documents a tag has, and the first of them in an order. */
async function listFirst(
  knowledge: KnowledgeClient,
  userId: string,
  request: { readonly tag: string; readonly sort: ListSort; readonly limit: number },
): Promise<{ readonly total: number; readonly newest: readonly StoredMemory[] }> {
  const { tag, sort, limit } = request;
  const requested = { tags: [tag], metadata_filter: { user_id: userId }, sort, limit: Math.max(1, limit) };
  const { total, documents } = await knowledge.list(listRequestSchema.parse(requested));
  return { total, newest: documents.slice(0, limit).map(toMemory) };
}

async function overviewOf(
  knowledge: KnowledgeClient,
  userId: string,
  type: MemoryType,
  limit: number,
): Promise<TypeOverview> {
  const tag = typeTag(MEMORY, type);
  if (type !== 'episodic') return listFirst(knowledge, userId, { tag, sort: 'updated', limit });
  const overview = await listFirst(knowledge, userId, { tag, sort: 'newest', limit });
  if (overview.total <= limit || limit === 0) return overview;
  // An event of long ago may be the last that was stored.
  const { newest } = await listFirst(knowledge, userId, { tag, sort: 'updated', limit: 1 });
  return { ...overview, updatedAt: newest[0]?.updatedAt };
}

/** Keeps memories in the knowledge base: a document each, with its type as a tag, and long ones in passages. */
export function createKnowledgeBaseStore(options: KnowledgeBaseStoreOptions): TypedMemoryStore {
  const { knowledge, clock } = options;
  const inOrder = createKeyedQueue();
  return {
    backend: 'knowledge base',
    keepsSealed: true,
    keepsEnds: true,
    // Values that come here one after the other are stored in that order.
    add: (userId, draft) => inOrder(toMemoryId(userId, draft), () => writeMemory(options, userId, draft)),
    search: (userId, query) => search(knowledge, userId, query),
    nearest: async (userId, { query, types, minScore }) => {
      const filter = { tags_any: toSearchTags(types), metadata_filter: { user_id: userId } };
      const request = { query, ...filter, top_k: 1, ...toLeast(minScore) };
      return (await knowledge.find(searchRequestSchema.parse(request))).nearest_score;
    },
    get: (userId, id) => read(knowledge, userId, id),
    overview: async (userId, types, limit) => {
      const entries = types.map(async (type) => [type, await overviewOf(knowledge, userId, type, limit)] as const);
      return Object.fromEntries(await Promise.all(entries));
    },
    editor: {
      list: (userId, listing) => listMemories(knowledge, userId, listing),
      replace: (userId, change) => inOrder(change.id, () => replaceMemory(options, userId, change)),
      remove: (userId, removal) => inOrder(removal.id, () => removeMemory(options, userId, removal)),
    },
    mark: async (userId, at) => {
      const [all, since] = await Promise.all([
        count(knowledge, userId, MEMORY),
        count(knowledge, userId, MEMORY, { written_ms: { gte: at } }),
      ]);
      return since === 0 ? String(all) : undefined;
    },
    listSealed: async (userId) => {
      const items: SealedItem[] = [];
      for await (const document of listTagged(knowledge, userId, typeTag(MEMORY, 'knowledge_vault'), {})) {
        items.push({ ...toMemory(document), version: document.version });
      }
      return items;
    },
    replaceSealed: async (userId, { id, version }, sealed) => {
      const metadata = { vault: sealed, written_ms: clock().getTime() };
      await knowledge.update({ id, userId, version }, { metadata });
    },
    check: async () => {
      await count(knowledge, 'nobody', MEMORY);
    },
    close: () => knowledge.close(),
  };
}
