import { defineExportUser } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Hands out the documents that are a user's own. */
export const exportUser = defineExportUser<KnowledgeBaseDeps>({
  path: '/export_user',
  exports: 'the documents',
  export: ({ userId, cursor }, { deps: { knowledgeBase } }) => knowledgeBase.exportUser(userId, cursor),
});
