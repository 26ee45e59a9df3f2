import { knowledgeBase as contract, type SearchRequest } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { exampleDocument } from './fields/examples.ts';
import { scopeSubject, toScopedCall } from './fields/subject.ts';

/** Finds documents by meaning and by word, under a filter. */
export const searchDocuments = defineOperation({
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Finds stored texts by meaning and by word, best first, under filters on tags and metadata. To search a user\'s documents name the user in metadata_filter {"user_id": …}; without it only documents of no user are found. Returns results with id, content, tags, metadata and score (0 to 1); explain adds why, and the best passage.',
  effect: 'reads',
  scope: 'user',
  translate: (request: SearchRequest) => toScopedCall(request),
  subject: scopeSubject,
  ...contract.search_documents,
  example: {
    input: {
      query: 'What does Ann drink?',
      tags_any: ['memory'],
      metadata_filter: { user_id: 'ann', importance: { gte: 3 } },
      top_k: 3,
    },
    output: { success: true, results: [{ ...exampleDocument, score: 0.82, document: exampleDocument }] },
  },
  route: {
    method: 'post',
    path: '/search',
    summary: 'Finds documents by meaning and by word, best first, under a filter.',
    errors: ['timeout', 'unavailable'],
  },
  run: async ({ request, filter }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    ...(await knowledgeBase.find(request, filter)),
  }),
});
