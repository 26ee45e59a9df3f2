import { doneResponseSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/mcp-kit';
import { z } from 'zod';
import type { KnowledgeBaseContext } from './deps.ts';
import { addressFields, changeRoute, toOwnAddress, versionField } from './fields/address.ts';

/** Deletes one document by its id. */
export const deleteDocument = defineOperation({
  name: 'delete_document',
  title: 'Delete a document',
  description: 'Deletes one document by its id, for good. Fails when the call may see no such document.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({ ...addressFields, ...versionField }),
  output: doneResponseSchema,
  example: { input: { doc_id: 'tea', user_id: 'ann' }, output: { success: true, message: 'Document deleted.' } },
  route: {
    ...changeRoute,
    method: 'delete',
    summary: 'Deletes one document.',
    errors: ['not_found', 'precondition_failed', 'unavailable'],
  },
  run: async (input, { deps, principal }: KnowledgeBaseContext) => {
    await deps.knowledgeBase.delete(toOwnAddress(input, principal));
    return { success: true as const, message: 'Document deleted.' };
  },
});
