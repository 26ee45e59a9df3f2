import { defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { ownerPatchSchema } from '../domain/identity/owner.ts';
import { spiritPatchSchema } from '../domain/identity/spirit.ts';
import { contextAnswerSchema, contextSchema, initSchema, ownerSchema, spiritSchema, statusSchema } from '../wire.ts';
import type { MemoryApiDeps } from './deps.ts';

const ROOT = '/api/v1/memory';
const writeErrors = ['conflict', 'forbidden', 'no_space', 'unavailable'] as const;

/** The routes of the identity and of the context. */
export const identityRoutes: readonly Route<MemoryApiDeps>[] = [
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/spirit`,
    summary: 'Answers who the agent is.',
    params: noParams,
    body: noBody,
    answer: spiritSchema,
    run: (_call, { answers }: MemoryApiDeps) => answers.spirit(),
  }),
  defineRoute({
    method: 'put',
    path: `${ROOT}/identity/spirit`,
    summary: 'Writes fields of SPIRIT.md; those left out stay.',
    params: noParams,
    body: spiritPatchSchema,
    answer: spiritSchema,
    errors: writeErrors,
    run: ({ body }, { memory, answers }: MemoryApiDeps) => memory.identity.writeSpirit(body).then(answers.spirit),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/owner`,
    summary: 'Answers whom the agent serves.',
    params: noParams,
    body: noBody,
    answer: ownerSchema,
    run: (_call, { answers }: MemoryApiDeps) => answers.owner(),
  }),
  defineRoute({
    method: 'put',
    path: `${ROOT}/identity/owner`,
    summary: 'Writes fields of OWNER.md; those left out stay.',
    params: noParams,
    body: ownerPatchSchema,
    answer: ownerSchema,
    errors: writeErrors,
    run: ({ body }, { memory, answers }: MemoryApiDeps) => memory.identity.writeOwner(body).then(answers.owner),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/identity/init`,
    summary: 'Makes the files that are missing, with empty sections; never overwrites one.',
    params: noParams,
    body: noBody,
    answer: initSchema,
    errors: writeErrors,
    run: (_call, { answers }: MemoryApiDeps) => answers.init(),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/status`,
    summary: 'Tells which files there are, and which required fields are empty.',
    params: noParams,
    body: noBody,
    answer: statusSchema,
    run: (_call, { answers }: MemoryApiDeps) => answers.status(),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/context/load`,
    summary: 'Answers the context of a prompt within a token budget.',
    params: noParams,
    body: contextSchema.prefault({}),
    answer: contextAnswerSchema,
    run: ({ body }, { answers }: MemoryApiDeps) => answers.context(body),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/context/reload`,
    summary: 'Looks at every file again, then answers as /context/load.',
    params: noParams,
    body: contextSchema.prefault({}),
    answer: contextAnswerSchema,
    run: async ({ body }, { memory, answers }: MemoryApiDeps) => {
      await memory.sync();
      return answers.context(body);
    },
  }),
];
