import { knowledgeBase as contract, FOLLOW_CHANGE } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';

/** Follows a change of memories, here or in other stores, to documents. */
export const followChange = defineOperation({
  name: FOLLOW_CHANGE,
  title: 'Follow a change',
  description:
    'Lists the documents of a user that were drawn from memories of any store which are gone or say something else now; with dry_run false it removes or marks those that rest on nothing else. update_document and delete_document do that by themselves.',
  effect: 'deletes',
  scope: 'user',
  ...contract.follow_change,
  example: {
    input: { user_id: 'ann', sources: ['fact:city'], change: 'forgotten', dry_run: true },
    output: { consequences: [{ id: 'note:summary-1', what: 'removed', text: 'Ann lives by the sea.' }] },
  },
  route: {
    method: 'post',
    path: '/follow_change',
    summary: 'Lists, removes or marks the documents that were drawn from memories that changed.',
    errors: ['no_space', 'unavailable'],
  },
  run: async ({ user_id: userId, dry_run: isDryRun = true, ...request }, { deps }: KnowledgeBaseContext) => ({
    consequences: [...(await deps.knowledgeBase.follow({ userId, ...request, isDryRun }))],
  }),
});
