import { addResponseSchema, documentInputSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { answerAdd } from '../answers.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Stores one document. */
export const addDocument = defineTool({
  name: 'add_document',
  title: 'Add a document',
  description:
    'Stores a text so that search_documents finds it by meaning and by word. The same doc_id again replaces the whole document. Put user_id into metadata to make it visible to that user alone. Returns document_id.',
  input: documentInputSchema,
  output: addResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: (document, { knowledgeBase }: KnowledgeBaseDeps) => answerAdd(knowledgeBase, document),
});
