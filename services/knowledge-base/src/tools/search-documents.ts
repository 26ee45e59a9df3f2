import { searchRequestSchema, searchResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { answerSearch } from '../answers.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Finds documents by meaning and by word, under a filter. */
export const searchDocuments = defineTool({
  name: 'search_documents',
  title: 'Search documents',
  description:
    'Finds stored texts by meaning and by word, best first, under filters on tags and metadata. To search a user\'s documents name the user in metadata_filter {"user_id": …}; without it only documents of no user are found. Returns results with id, content, tags, metadata and score (0 to 1); explain adds why, and the best passage.',
  input: searchRequestSchema,
  output: searchResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, { knowledgeBase }: KnowledgeBaseDeps) => answerSearch(knowledgeBase, request),
});
