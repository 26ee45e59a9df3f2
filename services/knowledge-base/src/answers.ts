import type {
  addManyResponseSchema,
  addResponseSchema,
  DocumentInput,
  DocumentPatch,
  documentResponseSchema,
  doneResponseSchema,
  healthResponseSchema,
  ListRequest,
  ListResponse,
  rebuildResponseSchema,
  SearchRequest,
  searchResponseSchema,
  statsResponseSchema,
} from '@contextloom/contracts';
import { ContextloomError } from '@contextloom/contracts';
import type { z } from 'zod';
import type { DocumentAddress, KnowledgeBase } from './domain/knowledge-base.ts';

/** How many documents, in words. */
function toCount(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`;
}

/** Stores one document and answers under which id. */
export async function answerAdd(
  knowledgeBase: KnowledgeBase,
  document: DocumentInput,
): Promise<z.output<typeof addResponseSchema>> {
  const [id] = await knowledgeBase.add([document]);
  if (id === undefined) throw new ContextloomError('internal', 'the document was stored without an id');
  return { success: true, document_id: id, message: 'Document stored.' };
}

/** Stores documents, all or none, and answers their ids in the order given. */
export async function answerAddMany(
  knowledgeBase: KnowledgeBase,
  documents: readonly DocumentInput[],
): Promise<z.output<typeof addManyResponseSchema>> {
  const ids = await knowledgeBase.add(documents);
  const message = `${toCount(ids.length)} stored.`;
  return { success: true, document_ids: [...ids], message };
}

/** Answers what a search finds, best first. */
export async function answerSearch(
  knowledgeBase: KnowledgeBase,
  request: SearchRequest,
): Promise<z.output<typeof searchResponseSchema>> {
  return { success: true, results: [...(await knowledgeBase.search(request))] };
}

/** Answers one page of a listing. */
export async function answerList(knowledgeBase: KnowledgeBase, request: ListRequest): Promise<ListResponse> {
  return { success: true, ...(await knowledgeBase.list(request)) };
}

/** Answers one document; rejects with `not_found` when the call may not see it. */
export async function answerGet(
  knowledgeBase: KnowledgeBase,
  address: DocumentAddress,
): Promise<z.output<typeof documentResponseSchema>> {
  return { success: true, document: await knowledgeBase.get(address) };
}

/** Changes one document and answers it as it is now. */
export async function answerUpdate(
  knowledgeBase: KnowledgeBase,
  address: DocumentAddress,
  patch: DocumentPatch,
): Promise<z.output<typeof documentResponseSchema>> {
  return { success: true, document: await knowledgeBase.update(address, patch) };
}

/** Deletes one document. */
export async function answerDelete(
  knowledgeBase: KnowledgeBase,
  address: DocumentAddress,
): Promise<z.output<typeof doneResponseSchema>> {
  await knowledgeBase.delete(address);
  return { success: true, message: 'Document deleted.' };
}

/** Answers the counts of what the call may see. */
export async function answerStats(
  knowledgeBase: KnowledgeBase,
  userId: string | undefined,
): Promise<z.output<typeof statsResponseSchema>> {
  return { success: true, stats: await knowledgeBase.stats(userId) };
}

/** Makes sure that everything is on disk. */
export async function answerSave(knowledgeBase: KnowledgeBase): Promise<z.output<typeof doneResponseSchema>> {
  await knowledgeBase.save();
  return { success: true, message: 'Everything is on disk.' };
}

/** Rebuilds the index and answers how many documents it holds. */
export async function answerRebuild(knowledgeBase: KnowledgeBase): Promise<z.output<typeof rebuildResponseSchema>> {
  const count = await knowledgeBase.rebuildIndex();
  return { success: true, message: `Index rebuilt over ${toCount(count)}.`, document_count: count };
}

/** Answers whether the service can do its work: degraded, and an error as of any call, when its store cannot be used. */
export async function answerHealth(knowledgeBase: KnowledgeBase): Promise<z.output<typeof healthResponseSchema>> {
  const store = await knowledgeBase.health();
  if (store.status === 'running') return { success: true, status: 'running', store };
  const detail = store.reason ?? 'the store cannot be used';
  return { success: false, status: 'degraded', store, error: { code: 'unavailable', message: detail }, detail };
}
