import {
  listRequestSchema,
  listResponseSchema,
  searchRequestSchema,
  searchResponseSchema,
} from '@contextloom/contracts';
import { defineRoute, noParams, type Route } from '@contextloom/mcp-kit';
import { answerList, answerSearch } from '../answers.ts';
import type { KnowledgeBase } from '../domain/knowledge-base.ts';
import { exampleDocument, storedExample } from './example-document.ts';

const search = defineRoute({
  method: 'post',
  path: '/search',
  summary: 'Finds documents by meaning and by word, best first, under a filter.',
  params: noParams,
  body: searchRequestSchema,
  answer: searchResponseSchema,
  errors: ['timeout', 'unavailable'],
  example: {
    body: {
      query: 'What does Ann drink?',
      tags_any: ['memory'],
      metadata_filter: { user_id: 'ann', importance: { gte: 3 } },
      top_k: 3,
    },
    answer: { success: true, results: [{ ...exampleDocument, score: 0.82, document: exampleDocument }] },
  },
  run: ({ body }, knowledgeBase: KnowledgeBase) => answerSearch(knowledgeBase, body),
});

const list = defineRoute({
  method: 'post',
  path: '/documents/list',
  summary: 'Lists documents under a filter, most important and newest first, page by page.',
  params: noParams,
  body: listRequestSchema,
  answer: listResponseSchema,
  errors: ['unavailable'],
  example: {
    body: { user_id: 'ann', limit: 1 },
    answer: {
      success: true,
      documents: [storedExample],
      total: 1,
    },
  },
  run: ({ body }, knowledgeBase: KnowledgeBase) => answerList(knowledgeBase, body),
});

/** Routes that find documents. */
export const searchRoutes: readonly Route<KnowledgeBase>[] = [search, list];
