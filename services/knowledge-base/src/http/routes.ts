import {
  addManyResponseSchema,
  addResponseSchema,
  documentPatchSchema,
  documentResponseSchema,
  doneResponseSchema,
  healthResponseSchema,
  listRequestSchema,
  listResponseSchema,
  rebuildResponseSchema,
  searchRequestSchema,
  searchResponseSchema,
  statsResponseSchema,
} from '@contextloom/contracts';
import type { z } from 'zod';
import {
  answerAdd,
  answerAddMany,
  answerDelete,
  answerGet,
  answerHealth,
  answerList,
  answerRebuild,
  answerSave,
  answerSearch,
  answerStats,
  answerUpdate,
} from '../answers.ts';
import { toEntityTag, withExpectedVersion } from './entity-tags.ts';
import { defineRoute, type Route } from './route.ts';
import {
  batchBodySchema,
  documentBodySchema,
  documentParamsSchema,
  noBodySchema,
  noParamsSchema,
  userParamsSchema,
} from './wire-schemas.ts';

const etagOf = ({ document }: z.input<typeof documentResponseSchema>): string => toEntityTag(document.version);

const add = defineRoute({
  method: 'post',
  path: '/add',
  summary: 'Stores one document. The same id again replaces the whole document.',
  params: noParamsSchema,
  body: documentBodySchema,
  answer: addResponseSchema,
  run: ({ body }, knowledgeBase) => answerAdd(knowledgeBase, body),
});

const batchAdd = defineRoute({
  method: 'post',
  path: '/batch_add',
  summary: 'Stores several documents: all of them or, on an error, none.',
  params: noParamsSchema,
  body: batchBodySchema,
  answer: addManyResponseSchema,
  run: ({ body }, knowledgeBase) => answerAddMany(knowledgeBase, body.documents),
});

const search = defineRoute({
  method: 'post',
  path: '/search',
  summary: 'Finds documents by meaning and by word, best first, under a filter.',
  params: noParamsSchema,
  body: searchRequestSchema,
  answer: searchResponseSchema,
  run: ({ body }, knowledgeBase) => answerSearch(knowledgeBase, body),
});

const list = defineRoute({
  method: 'post',
  path: '/documents/list',
  summary: 'Lists documents under a filter, most important and newest first, page by page.',
  params: noParamsSchema,
  body: listRequestSchema,
  answer: listResponseSchema,
  run: ({ body }, knowledgeBase) => answerList(knowledgeBase, body),
});

const get = defineRoute({
  method: 'get',
  path: '/documents/:id',
  summary: 'Reads one document.',
  note: 'The ETag header is the version of the document.',
  params: documentParamsSchema,
  body: noBodySchema,
  answer: documentResponseSchema,
  etagOf,
  run: ({ params }, knowledgeBase) => answerGet(knowledgeBase, { id: params.id, userId: params.user_id }),
});

const update = defineRoute({
  method: 'patch',
  path: '/documents/:id',
  summary: 'Changes parts of one document.',
  note: 'With an If-Match header it answers 412 unless the document is still at that version.',
  params: documentParamsSchema,
  body: documentPatchSchema,
  answer: documentResponseSchema,
  etagOf,
  run: async ({ params, body, ifMatch }, knowledgeBase) => {
    const address = { id: params.id, userId: params.user_id };
    return answerUpdate(knowledgeBase, await withExpectedVersion(knowledgeBase, address, ifMatch), body);
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/documents/:id',
  summary: 'Deletes one document.',
  note: 'With an If-Match header it answers 412 unless the document is still at that version.',
  params: documentParamsSchema,
  body: noBodySchema,
  answer: doneResponseSchema,
  run: async ({ params, ifMatch }, knowledgeBase) => {
    const address = { id: params.id, userId: params.user_id };
    return answerDelete(knowledgeBase, await withExpectedVersion(knowledgeBase, address, ifMatch));
  },
});

const stats = defineRoute({
  method: 'get',
  path: '/stats',
  summary: 'Counts the documents of a user, or those of no user, and names their tags.',
  params: userParamsSchema,
  body: noBodySchema,
  answer: statsResponseSchema,
  run: ({ params }, knowledgeBase) => answerStats(knowledgeBase, params.user_id),
});

const health = defineRoute({
  method: 'get',
  path: '/health',
  summary: 'Tells whether the service and its store can be used.',
  note: 'The status is 503 while the store cannot be used; `store.reason` says why.',
  params: noParamsSchema,
  body: noBodySchema,
  answer: healthResponseSchema,
  statusOf: ({ success }) => (success ? 200 : 503),
  run: (_call, knowledgeBase) => answerHealth(knowledgeBase),
});

const save = defineRoute({
  method: 'post',
  path: '/save',
  summary: 'Makes sure that everything is on disk. Every acknowledged write already is.',
  params: noParamsSchema,
  body: noBodySchema,
  answer: doneResponseSchema,
  run: (_call, knowledgeBase) => answerSave(knowledgeBase),
});

const rebuildIndex = defineRoute({
  method: 'post',
  path: '/rebuild_index',
  summary: 'Makes the search index anew from the stored documents.',
  params: noParamsSchema,
  body: noBodySchema,
  answer: rebuildResponseSchema,
  run: (_call, knowledgeBase) => answerRebuild(knowledgeBase),
});

/** Every route of the HTTP service, in the order of the API reference. */
export const routes: readonly Route[] = [
  add,
  batchAdd,
  search,
  list,
  get,
  update,
  remove,
  stats,
  health,
  save,
  rebuildIndex,
];
