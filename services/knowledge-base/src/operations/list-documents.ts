import { knowledgeBase as contract, type ListRequest } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { storedExample } from './fields/examples.ts';
import { scopeSubject, toScopedCall } from './fields/subject.ts';

/** Lists documents page by page, under a filter. */
export const listDocuments = defineOperation({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Lists stored documents under the same filters as search_documents, most important and newest first, or as sort says. Use it to read everything; to look for something use search_documents. Returns documents, total, and next_cursor while there are more.',
  effect: 'reads',
  scope: 'user',
  translate: (request: ListRequest) => toScopedCall(request),
  subject: scopeSubject,
  ...contract.list_documents,
  example: {
    input: { user_id: 'ann', limit: 1 },
    output: { success: true, documents: [storedExample], total: 1 },
  },
  route: {
    method: 'post',
    path: '/documents/list',
    summary: 'Lists documents under a filter, page by page: most important and newest first, or as sort says.',
    errors: ['unavailable'],
  },
  run: async ({ request, filter }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    ...(await knowledgeBase.list(request, filter)),
  }),
});
