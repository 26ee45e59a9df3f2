import { knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';

/** Counts documents and names their tags. */
export const getStats = defineOperation({
  name: 'get_stats',
  title: 'Get statistics',
  description: 'Counts documents and vectors and names the tags in use, to see which tags one can filter by.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_stats,
  example: {
    input: { user_id: 'ann' },
    output: {
      success: true,
      stats: { document_count: 2, vector_count: 2, tag_count: 1, tags: ['memory'], status: 'running' },
    },
  },
  route: {
    method: 'get',
    path: '/stats',
    summary: 'Counts the documents of a user, or those of no user, and names their tags.',
    errors: ['unavailable'],
  },
  run: async ({ user_id }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    stats: await knowledgeBase.stats(user_id),
  }),
});
