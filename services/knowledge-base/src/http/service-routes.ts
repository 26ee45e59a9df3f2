import {
  doneResponseSchema,
  healthResponseSchema,
  rebuildResponseSchema,
  statsResponseSchema,
} from '@contextloom/contracts';
import { defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { answerHealth, answerRebuild, answerSave, answerStats } from '../answers.ts';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { userParamsSchema } from './wire-schemas.ts';

const stats = defineRoute({
  method: 'get',
  path: '/stats',
  summary: 'Counts the documents of a user, or those of no user, and names their tags.',
  params: userParamsSchema,
  body: noBody,
  answer: statsResponseSchema,
  errors: ['unavailable'],
  example: {
    params: { user_id: 'ann' },
    answer: {
      success: true,
      stats: { document_count: 2, vector_count: 2, tag_count: 1, tags: ['memory'], status: 'running' },
    },
  },
  run: ({ params }, knowledgeBase: KnowledgeBase) => answerStats(knowledgeBase, params.user_id),
});

const health = defineRoute({
  method: 'get',
  path: '/health',
  summary: 'Tells whether the service and its store can be used.',
  params: noParams,
  body: noBody,
  answer: healthResponseSchema,
  statuses: { 200: 'The store can be used.', 503: 'The store cannot be used; `store.reason` says why.' },
  statusOf: ({ success }) => (success ? 200 : 503),
  example: { answer: { success: true, status: 'running', store: { kind: 'embedded', status: 'running' } } },
  run: (_call, knowledgeBase: KnowledgeBase) => answerHealth(knowledgeBase),
});

const save = defineRoute({
  method: 'post',
  path: '/save',
  summary: 'Makes sure that everything is on disk. Every acknowledged write already is.',
  params: noParams,
  body: noBody,
  answer: doneResponseSchema,
  errors: ['no_space', 'unavailable'],
  example: { answer: { success: true, message: 'Everything is on disk.' } },
  run: (_call, knowledgeBase: KnowledgeBase) => answerSave(knowledgeBase),
});

const rebuildIndex = defineRoute({
  method: 'post',
  path: '/rebuild_index',
  summary: 'Builds the search index again from the stored documents.',
  params: noParams,
  body: noBody,
  answer: rebuildResponseSchema,
  errors: ['conflict', 'no_space', 'unavailable'],
  example: { answer: { success: true, message: 'Index rebuilt over 2 documents.', document_count: 2 } },
  run: (_call, knowledgeBase: KnowledgeBase) => answerRebuild(knowledgeBase),
});

/** Routes about the service as a whole. */
export const serviceRoutes: readonly Route<KnowledgeBase>[] = [stats, health, save, rebuildIndex];
