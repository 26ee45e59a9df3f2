import {
  addManyResponseSchema,
  addResponseSchema,
  type DeepReadonly,
  type DocumentAddress,
  documentPatchSchema,
  documentResponseSchema,
  doneResponseSchema,
} from '@contextloom/contracts';
import { defineRoute, noBody, noParams, type Route, toEntityTag, toExpectedVersion } from '@contextloom/mcp-kit';
import type { z } from 'zod';
import { answerAdd, answerAddMany, answerDelete, answerGet, answerUpdate } from '../answers.ts';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { exampleDocument, storedExample } from './example-document.ts';
import { batchBodySchema, documentBodySchema, documentParamsSchema } from './wire-schemas.ts';

const { id: doc_id, ...exampleFields } = exampleDocument;
const exampleBody = { doc_id, ...exampleFields };
const exampleParams = { id: 'tea', user_id: 'ann' };

const etagOf = ({ document }: DeepReadonly<z.input<typeof documentResponseSchema>>): string =>
  toEntityTag(document.version);

async function atExpectedVersion(
  knowledgeBase: KnowledgeBase,
  address: DocumentAddress,
  ifMatch: string | undefined,
): Promise<DocumentAddress> {
  const version = await toExpectedVersion(ifMatch, async () => (await knowledgeBase.get(address)).version);
  return { ...address, version };
}

const add = defineRoute({
  method: 'post',
  path: '/add',
  summary: 'Stores one document. The same id again replaces the whole document.',
  params: noParams,
  body: documentBodySchema,
  answer: addResponseSchema,
  errors: ['conflict', 'no_space', 'unavailable'],
  example: { body: exampleBody, answer: { success: true, document_id: 'tea', message: 'Document stored.' } },
  run: ({ body }, knowledgeBase: KnowledgeBase) => answerAdd(knowledgeBase, body),
});

const batchAdd = defineRoute({
  method: 'post',
  path: '/batch_add',
  summary: 'Stores several documents: all of them or, on an error, none.',
  params: noParams,
  body: batchBodySchema,
  answer: addManyResponseSchema,
  errors: ['conflict', 'no_space', 'unavailable'],
  example: {
    body: {
      documents: [exampleBody, { doc_id: 'cat', content: "Ann's cat is called Momo.", metadata: { user_id: 'ann' } }],
    },
    answer: { success: true, document_ids: ['tea', 'cat'], message: '2 documents stored.' },
  },
  run: ({ body }, knowledgeBase: KnowledgeBase) => answerAddMany(knowledgeBase, body.documents),
});

const get = defineRoute({
  method: 'get',
  path: '/documents/:id',
  summary: 'Reads one document.',
  note: 'The ETag header is the version of the document.',
  params: documentParamsSchema,
  body: noBody,
  answer: documentResponseSchema,
  errors: ['not_found', 'unavailable'],
  example: { params: exampleParams, answer: { success: true, document: storedExample } },
  etagOf,
  run: ({ params }, knowledgeBase: KnowledgeBase) =>
    answerGet(knowledgeBase, { id: params.id, userId: params.user_id }),
});

const update = defineRoute({
  method: 'patch',
  path: '/documents/:id',
  summary: 'Changes parts of one document.',
  note: 'With an If-Match header it answers 412 unless the document is still at that version.',
  params: documentParamsSchema,
  body: documentPatchSchema,
  answer: documentResponseSchema,
  errors: ['not_found', 'precondition_failed', 'no_space', 'unavailable'],
  example: {
    params: exampleParams,
    body: { tags: ['memory', 'habit'] },
    answer: {
      success: true,
      document: { ...storedExample, tags: ['memory', 'habit'], updated_at: '2026-03-02T09:30:00.000Z', version: 2 },
    },
  },
  etagOf,
  run: async ({ params, body, ifMatch }, knowledgeBase: KnowledgeBase) => {
    const address = { id: params.id, userId: params.user_id };
    return answerUpdate(knowledgeBase, await atExpectedVersion(knowledgeBase, address, ifMatch), body);
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/documents/:id',
  summary: 'Deletes one document.',
  note: 'With an If-Match header it answers 412 unless the document is still at that version.',
  params: documentParamsSchema,
  body: noBody,
  answer: doneResponseSchema,
  errors: ['not_found', 'precondition_failed', 'unavailable'],
  example: { params: exampleParams, answer: { success: true, message: 'Document deleted.' } },
  run: async ({ params, ifMatch }, knowledgeBase: KnowledgeBase) => {
    const address = { id: params.id, userId: params.user_id };
    return answerDelete(knowledgeBase, await atExpectedVersion(knowledgeBase, address, ifMatch));
  },
});

/** Routes that store documents. */
export const storingRoutes: readonly Route<KnowledgeBase>[] = [add, batchAdd];

/** Routes about one document. */
export const documentRoutes: readonly Route<KnowledgeBase>[] = [get, update, remove];
