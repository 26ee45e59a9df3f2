import { type KnowledgeClient, listRequestSchema, type StoredDocument } from '@contextloom/contracts';
import type { ListedMemories, MemoryListing } from '../../domain/typed-memory-store.ts';
import { MEMORY, toMemory, typeTag } from './documents.ts';

const PAGE = 200;

/** Reads every document of a tag, page by page. */
export async function* listTagged(
  knowledge: KnowledgeClient,
  userId: string,
  tag: string,
  filter: object,
): AsyncGenerator<StoredDocument> {
  let cursor: string | undefined;
  do {
    const request = { tags: [tag], metadata_filter: { user_id: userId, ...filter }, limit: PAGE, cursor };
    const page = await knowledge.list(listRequestSchema.parse(request));
    yield* page.documents;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

/** Lists memories in the order of the listing. */
export async function listMemories(
  knowledge: KnowledgeClient,
  userId: string,
  { types, order, ...page }: MemoryListing,
): Promise<ListedMemories> {
  const request = {
    tags_any: types.map((type) => typeTag(MEMORY, type)),
    metadata_filter: { user_id: userId },
    sort: order,
    ...page,
  };
  const { documents, total, next_cursor: next } = await knowledge.list(listRequestSchema.parse(request));
  return { memories: documents.map(toMemory), total, next };
}
