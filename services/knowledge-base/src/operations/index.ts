import { ContextloomError, DOCUMENT_LINES } from '@contextloom/contracts';
import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import type { KnowledgeBaseDeps } from './deps.ts';
import { addDocument, addDocuments, deleteDocument, getDocument, listDocuments, updateDocument } from './documents.ts';
import { followChange } from './follow-change.ts';
import { getStats } from './get-stats.ts';
import { searchDocuments } from './search-documents.ts';

/** Where every call sees every document, a caller of some users is served nothing, through whichever server it comes. */
const keptApart = (operation: Operation<KnowledgeBaseDeps>): Operation<KnowledgeBaseDeps> => ({
  ...operation,
  call: async (args, context, options) => {
    const { openToAll } = context.deps;
    if (openToAll !== undefined && context.principal.users !== 'all')
      throw new ContextloomError('forbidden', openToAll);
    return operation.call(args, context, options);
  },
});

const ofUsers = defineUserStoreOperations<KnowledgeBaseDeps>({
  store: ({ deps: { knowledgeBase } }) => knowledgeBase,
  lines: DOCUMENT_LINES,
  exports: 'the documents',
  isRouted: true,
});

/** The operations of the knowledge base, in the order that clients see. */
export const operations: readonly Operation<KnowledgeBaseDeps>[] = [
  addDocument,
  searchDocuments,
  getStats,
  addDocuments,
  getDocument,
  updateDocument,
  deleteDocument,
  listDocuments,
  followChange,
  ...ofUsers,
].map(keptApart);
