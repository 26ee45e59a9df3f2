import { knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { exampleInput } from './fields/examples.ts';
import { documentsSubject } from './fields/subject.ts';
import { batchBodySchema } from './fields/wire-schemas.ts';

/** Stores several documents, all or none. */
export const addDocuments = defineOperation({
  name: 'add_documents',
  title: 'Add several documents',
  description:
    'Stores several texts at once, all of them or, on an error, none. Each is as in add_document. Returns document_ids in the order given.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'user',
  subject: documentsSubject,
  ...contract.add_documents,
  example: {
    input: {
      documents: [exampleInput, { doc_id: 'cat', content: "Ann's cat is called Momo.", metadata: { user_id: 'ann' } }],
    },
    output: { success: true, document_ids: ['tea', 'cat'], message: '2 documents stored.' },
  },
  route: {
    method: 'post',
    path: '/batch_add',
    summary: 'Stores several documents: all of them or, on an error, none.',
    body: batchBodySchema,
    errors: ['conflict', 'no_space', 'unavailable'],
  },
  run: async ({ documents }, { deps: { knowledgeBase } }: KnowledgeBaseContext) => {
    const ids = await knowledgeBase.add(documents);
    const count = ids.length === 1 ? '1 document' : `${ids.length} documents`;
    return { success: true as const, document_ids: [...ids], message: `${count} stored.` };
  },
});
