import { listRequestSchema, listResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { answerList } from '../answers.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Lists documents page by page, under a filter. */
export const listDocuments = defineTool({
  name: 'list_documents',
  title: 'List documents',
  description:
    'Lists stored documents under the same filters as search_documents, most important and newest first. Use it to read everything; to look for something use search_documents. Returns documents, total, and next_cursor while there are more.',
  input: listRequestSchema,
  output: listResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, { knowledgeBase }: KnowledgeBaseDeps) => answerList(knowledgeBase, request),
});
