import { statsResponseSchema, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { KnowledgeBaseContext } from './deps.ts';

/** Counts documents and names their tags. */
export const getStats = defineOperation({
  name: 'get_stats',
  title: 'Get statistics',
  description: 'Counts documents and vectors and names the tags in use, to see which tags one can filter by.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    user_id: userIdSchema
      .optional()
      .describe('The user whose documents to count; without it only documents of no user.'),
  }),
  output: statsResponseSchema,
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
