import { knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation, toEntityTag } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { changeRoute, toOwnAddress } from './fields/address.ts';
import { storedExample } from './fields/examples.ts';

const tags = ['memory', 'habit'];

/** Changes fields of one document. */
export const updateDocument = defineOperation({
  name: 'update_document',
  title: 'Update a document',
  description:
    'Changes parts of one document: content, tags and keys given are replaced, metadata is merged key by key (null removes a key). To replace all of it use add_document. Returns the document as it is now.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_document,
  example: {
    input: { doc_id: 'tea', user_id: 'ann', tags },
    output: {
      success: true,
      document: { ...storedExample, tags, updated_at: '2026-03-02T09:30:00.000Z', version: 2 },
    },
  },
  route: {
    ...changeRoute,
    method: 'patch',
    summary: 'Changes parts of one document.',
    errors: ['not_found', 'precondition_failed', 'no_space', 'unavailable'],
    etagOf: ({ document }) => toEntityTag(document.version),
  },
  run: async ({ content, tags, metadata, keys, ...address }, { deps, principal }: KnowledgeBaseContext) => ({
    success: true as const,
    document: await deps.knowledgeBase.update(toOwnAddress(address, principal), { content, tags, metadata, keys }),
  }),
});
