import { defineForgetUser } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Forgets a user: the documents that are the user's own. */
export const forgetUser = defineForgetUser<KnowledgeBaseDeps>({
  path: '/forget_user',
  erases: 'the documents',
  forget: ({ userId, isDryRun }, { deps: { knowledgeBase } }) => knowledgeBase.forget(userId, isDryRun),
});
