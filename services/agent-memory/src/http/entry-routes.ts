import { defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { dailyLogSchema, deletedSchema, entryPageSchema, entrySchema, searchAnswerSchema } from '../domain/answers.ts';
import { dateSchema } from '../domain/files.ts';
import {
  addSchema,
  listSchema,
  oneEntrySchema,
  searchSchema,
  similarSchema,
  updateSchema,
} from '../domain/requests.ts';
import type { AgentMemoryDeps } from '../tools/deps.ts';

const ROOT = '/api/v1/memory';

/** The routes of entries. */
export const entryRoutes: readonly Route<AgentMemoryDeps>[] = [
  defineRoute({
    method: 'get',
    path: `${ROOT}/entries`,
    summary: 'Lists entries, newest first.',
    params: listSchema,
    body: noBody,
    answer: entryPageSchema,
    run: ({ params }, { memory }: AgentMemoryDeps) => memory.list(params),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/entries`,
    summary: "Writes an entry into today's log, or into MEMORY.md.",
    statuses: { 201: 'The entry was written.' },
    params: noParams,
    body: addSchema,
    answer: entrySchema,
    errors: ['conflict', 'forbidden', 'no_space', 'unavailable'],
    run: ({ body }, { memory }: AgentMemoryDeps) => memory.add(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/entries/:id`,
    summary: 'Answers one entry.',
    params: oneEntrySchema,
    body: noBody,
    answer: entrySchema,
    errors: ['not_found'],
    run: ({ params: { id, session } }, { memory }: AgentMemoryDeps) => memory.get(id, session),
  }),
  defineRoute({
    method: 'patch',
    path: `${ROOT}/entries/:id`,
    summary: 'Replaces the text, type or metadata of an entry.',
    params: oneEntrySchema.pick({ id: true }),
    body: updateSchema,
    answer: entrySchema,
    errors: ['conflict', 'forbidden', 'not_found', 'no_space', 'unavailable'],
    run: ({ params: { id }, body }, { memory }: AgentMemoryDeps) => memory.update(id, body),
  }),
  defineRoute({
    method: 'delete',
    path: `${ROOT}/entries/:id`,
    summary: 'Removes an entry from its file and from the index.',
    params: oneEntrySchema,
    body: noBody,
    answer: deletedSchema,
    errors: ['conflict', 'forbidden', 'not_found', 'no_space', 'unavailable'],
    run: ({ params: { id, session } }, { memory }: AgentMemoryDeps) => memory.delete(id, session),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/daily/:date`,
    summary: 'Answers the log of a day; an empty one for a day without.',
    params: z.object({ date: dateSchema }),
    body: noBody,
    answer: dailyLogSchema,
    run: ({ params: { date } }, { memory }: AgentMemoryDeps) => memory.daily(date),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/search`,
    summary: 'Finds entries by meaning and by word, best first.',
    params: noParams,
    body: searchSchema,
    answer: searchAnswerSchema,
    run: ({ body }, { memory }: AgentMemoryDeps) => memory.search(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/search/similar/:id`,
    summary: 'Finds entries that are like another.',
    params: similarSchema,
    body: noBody,
    answer: searchAnswerSchema,
    errors: ['not_found'],
    run: ({ params: { id, limit, session } }, { memory }: AgentMemoryDeps) => memory.similar(id, limit, session),
  }),
];
