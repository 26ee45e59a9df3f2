import { documentResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerGet } from '../answers.ts';
import { addressFields, toAddress } from './address.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Reads one document by its id. */
export const getDocument = defineTool({
  name: 'get_document',
  title: 'Get a document',
  description: 'Reads one document by its id. Returns it with its times and its version.',
  input: z.object(addressFields),
  output: documentResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (args, { knowledgeBase }: KnowledgeBaseDeps) => answerGet(knowledgeBase, toAddress(args)),
});
