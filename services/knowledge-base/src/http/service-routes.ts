import { doneResponseSchema, healthResponseSchema, rebuildResponseSchema } from '@contextloom/contracts';
import { defineRoute, noBody, noParams, type Route } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from '../operations/deps.ts';

const health = defineRoute({
  method: 'get',
  path: '/health',
  summary: 'Tells whether the service and its store can be used.',
  params: noParams,
  body: noBody,
  answer: healthResponseSchema,
  statuses: { 200: 'The store can be used.', 503: 'The store cannot be used; `store.reason` says why.' },
  statusOf: ({ success }) => (success ? 200 : 503),
  example: { answer: { success: true, status: 'running', store: { kind: 'embedded', status: 'running' } } },
  run: async (_call, { knowledgeBase }: KnowledgeBaseDeps) => {
    const store = await knowledgeBase.health();
    if (store.status === 'running') return { success: true, status: 'running' as const, store };
    const detail = store.reason ?? 'the store cannot be used';
    const error = { code: 'unavailable' as const, message: detail };
    return { success: false, status: 'degraded' as const, store, error, detail };
  },
});

const save = defineRoute({
  method: 'post',
  path: '/save',
  summary: 'Makes sure that everything is on disk. Every acknowledged write already is.',
  params: noParams,
  body: noBody,
  answer: doneResponseSchema,
  errors: ['no_space', 'unavailable'],
  example: { answer: { success: true, message: 'Everything is on disk.' } },
  run: async (_call, { knowledgeBase }: KnowledgeBaseDeps) => {
    await knowledgeBase.save();
    return { success: true as const, message: 'Everything is on disk.' };
  },
});

const rebuildIndex = defineRoute({
  method: 'post',
  path: '/rebuild_index',
  summary: 'Builds the search index again from the stored documents.',
  requires: 'admin',
  params: noParams,
  body: noBody,
  answer: rebuildResponseSchema,
  errors: ['conflict', 'no_space', 'unavailable'],
  example: { answer: { success: true, message: 'Index rebuilt over 2 documents.', document_count: 2 } },
  run: async (_call, { knowledgeBase }: KnowledgeBaseDeps) => {
    const count = await knowledgeBase.rebuildIndex();
    return { success: true as const, message: toRebuilt(count), document_count: count };
  },
});

/** What a rebuild of the index came to, in words. */
export function toRebuilt(documents: number): string {
  return `Index rebuilt over ${documents === 1 ? '1 document' : `${documents} documents`}.`;
}

/** Routes about the service as a whole, which are no operations on documents. */
export const serviceRoutes: readonly Route<KnowledgeBaseDeps>[] = [health, save, rebuildIndex];
