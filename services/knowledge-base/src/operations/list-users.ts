import { defineListUsers } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Lists the users who have documents. */
export const listUsers = defineListUsers<KnowledgeBaseDeps>({
  path: '/list_users',
  list: (page, { deps: { knowledgeBase } }) => knowledgeBase.users(page),
});
