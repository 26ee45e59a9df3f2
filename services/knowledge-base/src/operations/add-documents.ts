import { addManyResponseSchema, documentInputSchema, MAX_BATCH, withoutNulls } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
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
  input: z.object({
    documents: z
      .array(z.preprocess(withoutNulls, documentInputSchema))
      .max(MAX_BATCH, `must be at most ${MAX_BATCH} documents`)
      .describe(`The documents, at most ${MAX_BATCH}.`),
  }),
  output: addManyResponseSchema,
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
