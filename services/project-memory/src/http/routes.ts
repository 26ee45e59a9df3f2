import { defineRoute, noBody, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import {
  answerArbitrations,
  answerGet,
  answerIngest,
  answerProjects,
  answerRollback,
  answerSearch,
  answerTimeline,
  answerVersions,
} from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import {
  arbitrationId,
  asOfText,
  bounds,
  countText,
  ingestFields,
  memoryId,
  ownerFields,
  queryField,
  relatedText,
  scopeField,
  selectionFields,
} from '../wire-fields.ts';
import {
  arbitrationsAnswerSchema,
  getAnswerSchema,
  ingestAnswerSchema,
  projectsAnswerSchema,
  rollbackAnswerSchema,
  searchAnswerSchema,
  timelineAnswerSchema,
  versionsAnswerSchema,
} from '../wire-schemas.ts';
import { linkRoutes } from './link-routes.ts';
import { type ApiDeps, pageRoutes } from './page-routes.ts';
import { transferRoutes } from './transfer-routes.ts';

const IDS = 'must be 1 to 10 ids, repeated or separated by commas';
const limit = countText(bounds.limit, 'Most results.');

/** Unknown keys are refused in this API, misspelt ones with them. */
const noQuery = z.strictObject({});

const idsField = z
  .union([z.string(), z.array(z.string())], IDS)
  .transform((given) =>
    [given]
      .flat()
      .flatMap((text) => text.split(','))
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  )
  .refine((ids) => ids.length >= 1 && ids.length <= 10, IDS)
  .describe('Ids of memories, repeated or separated by commas, 1 to 10.');

const ingest = defineRoute({
  method: 'post',
  path: '/ingest/memory',
  summary: 'Takes a memory in.',
  note: 'What is about the same subject as a stored memory may take its place (updated) or be left out (skipped).',
  params: noQuery,
  body: z.strictObject(ingestFields),
  answer: ingestAnswerSchema,
  errors: ['invalid', 'forbidden', 'too_large', 'unavailable'],
  example: {
    body: { project_name: 'agent-mem', content_type: 'development', content: 'Vectors are kept in pgvector.' },
    answer: { id: 'mem_1f0c', status: 'created', ts: 1_768_912_345 },
  },
  run: ({ body }, deps: MemoryDeps) => answerIngest(body, deps),
});

const search = defineRoute({
  method: 'get',
  path: '/memories/search',
  summary: 'Finds memories by meaning and by word; a snippet of each.',
  params: z.strictObject({
    ...selectionFields,
    query: queryField,
    scope: scopeField,
    ...relatedText,
    ...asOfText,
    limit: limit.default(20),
  }),
  body: noBody,
  answer: searchAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerSearch(params, deps),
});

const timeline = defineRoute({
  method: 'get',
  path: '/memories/timeline',
  summary: 'Lists memories of the last days, newest first.',
  params: z.strictObject({
    ...selectionFields,
    days: countText(bounds.days, 'How many days back.').default(7),
    limit: limit.default(20),
  }),
  body: noBody,
  answer: timelineAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerTimeline(params, deps),
});

const get = defineRoute({
  method: 'get',
  path: '/memories',
  summary: 'Reads whole memories in the order asked; unknown ids are left out.',
  params: z.strictObject({ ...ownerFields, ids: idsField, ...asOfText, ...relatedText }),
  body: noBody,
  answer: getAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerGet(params, deps),
});

const versions = defineRoute({
  method: 'get',
  path: '/memories/:id/versions',
  summary: 'Lists all states of a memory, the present one first.',
  params: z.strictObject({ ...ownerFields, id: memoryId }),
  body: noBody,
  answer: versionsAnswerSchema,
  errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerVersions(params, deps),
});

const arbitrations = defineRoute({
  method: 'get',
  path: '/arbitrations',
  summary: 'Lists how conflicts were settled, newest first.',
  params: z.strictObject({ ...selectionFields, id: memoryId.optional(), limit: limit.default(20) }),
  body: noBody,
  answer: arbitrationsAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerArbitrations(params, deps),
});

const rollback = defineRoute({
  method: 'post',
  path: '/arbitrations/rollback',
  summary: 'Undoes an arbitration.',
  params: noQuery,
  body: z.strictObject({ ...ownerFields, arbitration_id: arbitrationId }),
  answer: rollbackAnswerSchema,
  errors: ['invalid', 'forbidden', 'not_found', 'conflict', 'unavailable'],
  run: ({ body }, deps: MemoryDeps) => answerRollback(body, deps),
});

const projects = defineRoute({
  method: 'get',
  path: '/projects',
  summary: 'Lists projects, the one with the newest memory first.',
  params: z.strictObject({ ...ownerFields, limit: limit.default(50) }),
  body: noBody,
  answer: projectsAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerProjects(params, deps),
});

/** Every route of the project memory, in the order of the API reference. */
export const routes: readonly Route<ApiDeps>[] = [
  ingest,
  search,
  timeline,
  get,
  ...linkRoutes,
  versions,
  arbitrations,
  rollback,
  projects,
  ...transferRoutes,
  ...pageRoutes,
];
