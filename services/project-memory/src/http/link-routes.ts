import { defineRoute, noBody, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerLink, answerLinks, answerUnlink } from '../link-answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { linkFields, memoryId, ownerFields, unlinkFields } from '../wire-fields.ts';
import { linkAnswerSchema, linksAnswerSchema, unlinkAnswerSchema } from '../wire-schemas.ts';

const link = defineRoute({
  method: 'post',
  path: '/links',
  summary: 'Links a memory with another one.',
  params: z.strictObject({}),
  body: z.strictObject(linkFields),
  answer: linkAnswerSchema,
  errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
  example: {
    body: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests' },
    answer: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests', status: 'created' },
  },
  run: ({ body }, deps: MemoryDeps) => answerLink(body, deps),
});

const unlink = defineRoute({
  method: 'delete',
  path: '/links',
  summary: 'Removes the links from one memory to another one.',
  params: z.strictObject(unlinkFields),
  body: noBody,
  answer: unlinkAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerUnlink(params, deps),
});

const links = defineRoute({
  method: 'get',
  path: '/memories/:id/links',
  summary: 'Lists what a memory is linked with, in both directions.',
  params: z.strictObject({ ...ownerFields, id: memoryId }),
  body: noBody,
  answer: linksAnswerSchema,
  errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
  run: ({ params }, deps: MemoryDeps) => answerLinks(params, deps),
});

/** Routes of links between memories. */
export const linkRoutes: readonly Route<MemoryDeps>[] = [link, unlink, links];
