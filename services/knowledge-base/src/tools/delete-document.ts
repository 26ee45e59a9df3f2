import { doneResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerDelete } from '../answers.ts';
import { addressFields, toAddress, versionField } from './address.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Deletes one document by its id. */
export const deleteDocument = defineTool({
  name: 'delete_document',
  title: 'Delete a document',
  description: 'Deletes one document by its id, for good. Fails when there is none that the call may see.',
  input: z.object({ ...addressFields, ...versionField }),
  output: doneResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: (args, { knowledgeBase }: KnowledgeBaseDeps) => answerDelete(knowledgeBase, toAddress(args)),
});
