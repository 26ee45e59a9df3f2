import { DOCUMENT_LINES } from '@contextloom/contracts';
import { defineImportUser } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';

/** Takes in the documents of a user. */
export const importUser = defineImportUser<KnowledgeBaseDeps>({
  ...DOCUMENT_LINES,
  path: '/import_user',
  import: ({ userId, lines }, { deps: { knowledgeBase } }) => knowledgeBase.importUser(userId, lines),
});
