import { addManyResponseSchema, documentInputSchema, MAX_BATCH, withoutNulls } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerAddMany } from '../answers.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

const input = z.object({
  documents: z
    .array(z.preprocess(withoutNulls, documentInputSchema))
    .max(MAX_BATCH, `must be at most ${MAX_BATCH} documents`)
    .describe(`The documents, at most ${MAX_BATCH}.`),
});

/** Stores several documents, all or none. */
export const addDocuments = defineTool({
  name: 'add_documents',
  title: 'Add several documents',
  description:
    'Stores several texts at once, all of them or, on an error, none. Each is as in add_document. Returns document_ids in the order given.',
  input,
  output: addManyResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: ({ documents }, { knowledgeBase }: KnowledgeBaseDeps) => answerAddMany(knowledgeBase, documents),
});
