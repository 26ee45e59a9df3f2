import { statsResponseSchema, userIdSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerStats } from '../answers.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Counts documents and names their tags. */
export const getStats = defineTool({
  name: 'get_stats',
  title: 'Get statistics',
  description: 'Counts documents and vectors and names the tags in use, to see which tags one can filter by.',
  input: z.object({
    user_id: userIdSchema
      .optional()
      .describe('The user whose documents to count; without it only documents of no user.'),
  }),
  output: statsResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: ({ user_id }, { knowledgeBase }: KnowledgeBaseDeps) => answerStats(knowledgeBase, user_id),
});
