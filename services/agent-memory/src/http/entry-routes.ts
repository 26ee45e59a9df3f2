import { defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { dateSchema } from '../domain/entry.ts';
import {
  addSchema,
  dailyLogSchema,
  deletedSchema,
  entryPageSchema,
  entrySchema,
  idField,
  listSchema,
  searchAnswerSchema,
  searchSchema,
  sessionField,
  updateFields,
} from '../wire.ts';
import type { MemoryApiDeps } from './deps.ts';

const ROOT = '/api/v1/memory';
const oneEntry = z.object({ ...idField, ...sessionField });

/** The routes of entries. */
export const entryRoutes: readonly Route<MemoryApiDeps>[] = [
  defineRoute({
    method: 'get',
    path: `${ROOT}/entries`,
    summary: 'Lists entries, newest first.',
    params: listSchema,
    body: noBody,
    answer: entryPageSchema,
    run: ({ params }, { answers }: MemoryApiDeps) => answers.list(params),
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
    run: ({ body }, { answers }: MemoryApiDeps) => answers.add(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/entries/:id`,
    summary: 'Answers one entry.',
    params: oneEntry,
    body: noBody,
    answer: entrySchema,
    errors: ['not_found'],
    run: ({ params: { id, session } }, { answers }: MemoryApiDeps) => answers.get(id, session),
  }),
  defineRoute({
    method: 'patch',
    path: `${ROOT}/entries/:id`,
    summary: 'Replaces the text, type or metadata of an entry.',
    params: z.object(idField),
    body: z.object(updateFields),
    answer: entrySchema,
    errors: ['conflict', 'forbidden', 'not_found', 'no_space', 'unavailable'],
    run: ({ params: { id }, body }, { answers }: MemoryApiDeps) => answers.update(id, body),
  }),
  defineRoute({
    method: 'delete',
    path: `${ROOT}/entries/:id`,
    summary: 'Removes an entry from its file and from the index.',
    params: oneEntry,
    body: noBody,
    answer: deletedSchema,
    errors: ['conflict', 'forbidden', 'not_found', 'no_space', 'unavailable'],
    run: ({ params: { id, session } }, { answers }: MemoryApiDeps) => answers.delete(id, session),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/daily/:date`,
    summary: 'Answers the log of a day; an empty one for a day without.',
    params: z.object({ date: dateSchema }),
    body: noBody,
    answer: dailyLogSchema,
    run: ({ params: { date } }, { answers }: MemoryApiDeps) => answers.daily(date),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/search`,
    summary: 'Finds entries by meaning and by word, best first.',
    params: noParams,
    body: searchSchema,
    answer: searchAnswerSchema,
    run: ({ body }, { answers }: MemoryApiDeps) => answers.search(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/search/similar/:id`,
    summary: 'Finds entries that are like another.',
    params: oneEntry.extend({ limit: searchSchema.shape.limit }),
    body: noBody,
    answer: searchAnswerSchema,
    errors: ['not_found'],
    run: ({ params: { id, limit, session } }, { answers }: MemoryApiDeps) => answers.similar(id, limit, session),
  }),
];
