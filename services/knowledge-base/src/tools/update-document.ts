import { documentPatchSchema, documentResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerUpdate } from '../answers.ts';
import { addressFields, toAddress, versionField } from './address.ts';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Changes fields of one document. */
export const updateDocument = defineTool({
  name: 'update_document',
  title: 'Update a document',
  description:
    'Changes parts of one document: content, tags and keys given are replaced, metadata is merged key by key (null removes a key). To replace all of it use add_document. Returns the document as it is now.',
  input: z.object({ ...addressFields, ...documentPatchSchema.shape, ...versionField }),
  output: documentResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: ({ content, tags, metadata, keys, ...address }, { knowledgeBase }: KnowledgeBaseDeps) =>
    answerUpdate(knowledgeBase, toAddress(address), { content, tags, metadata, keys }),
});
