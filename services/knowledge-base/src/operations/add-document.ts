import { ContextloomError, knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { exampleInput } from './fields/examples.ts';
import { documentSubject } from './fields/subject.ts';
import { documentBodySchema } from './fields/wire-schemas.ts';

/** Stores one document. */
export const addDocument = defineOperation({
  name: 'add_document',
  title: 'Add a document',
  description:
    'Stores a text so that search_documents finds it by meaning and by word. The same doc_id again replaces the whole document. Put user_id into metadata to make it visible to that user alone. Returns document_id.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'user',
  subject: documentSubject,
  ...contract.add_document,
  example: { input: exampleInput, output: { success: true, document_id: 'tea', message: 'Document stored.' } },
  route: {
    method: 'post',
    path: '/add',
    summary: 'Stores one document. The same id again replaces the whole document.',
    body: documentBodySchema,
    errors: ['conflict', 'no_space', 'unavailable'],
  },
  run: async (document, { deps: { knowledgeBase } }: KnowledgeBaseContext) => {
    const [id] = await knowledgeBase.add([document]);
    if (id === undefined) throw new ContextloomError('internal', 'the document was stored without an id');
    return { success: true as const, document_id: id, message: 'Document stored.' };
  },
});
