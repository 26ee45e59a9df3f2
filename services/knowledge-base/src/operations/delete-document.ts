import { knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { changeRoute, toOwnAddress } from './fields/address.ts';

/** Deletes one document by its id. */
export const deleteDocument = defineOperation({
  name: 'delete_document',
  title: 'Delete a document',
  description:
    'Deletes one document by its id, for good. Fails when the call may see no such document. Later readings of the conversation that it was read in leave it out.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_document,
  example: { input: { doc_id: 'tea', user_id: 'ann' }, output: { success: true, message: 'Document deleted.' } },
  route: {
    ...changeRoute,
    method: 'delete',
    query: [...changeRoute.query, 'retract'],
    summary: 'Deletes one document.',
    errors: ['not_found', 'precondition_failed', 'unavailable'],
  },
  run: async ({ retract, ...input }, { deps, principal }: KnowledgeBaseContext) => {
    await deps.knowledgeBase.delete(toOwnAddress(input, principal), { retract });
    return { success: true as const, message: 'Document deleted.' };
  },
});
