import { knowledgeBase as contract } from '@contextloom/contracts';
import { defineOperation, toEntityTag } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from './deps.ts';
import { addressRoute, toAddress } from './fields/address.ts';
import { storedExample } from './fields/examples.ts';

/** Reads one document by its id. */
export const getDocument = defineOperation({
  name: 'get_document',
  title: 'Get a document',
  description: 'Reads one document by its id. Returns it with its times and its version.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_document,
  example: { input: { doc_id: 'tea', user_id: 'ann' }, output: { success: true, document: storedExample } },
  route: {
    ...addressRoute,
    method: 'get',
    summary: 'Reads one document.',
    note: 'The ETag header is the version of the document.',
    errors: ['not_found', 'unavailable'],
    etagOf: ({ document }) => toEntityTag(document.version),
  },
  run: async (input, { deps: { knowledgeBase } }: KnowledgeBaseContext) => ({
    success: true as const,
    document: await knowledgeBase.get(toAddress(input)),
  }),
});
