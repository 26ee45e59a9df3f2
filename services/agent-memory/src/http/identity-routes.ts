import { defineRoute, noBody, noParams, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import {
  contextAnswerSchema,
  initSchema,
  ownerSchema,
  spiritSchema,
  statusSchema,
  toolSchema,
} from '../domain/answers.ts';
import { ownerPatchSchema } from '../domain/identity/owner.ts';
import { spiritPatchSchema } from '../domain/identity/spirit.ts';
import { contextSchema, toolNameSchema, toolSwitchSchema } from '../domain/requests.ts';
import type { AgentMemoryDeps } from '../tools/deps.ts';

const ROOT = '/api/v1/memory';
const writeErrors = ['conflict', 'forbidden', 'no_space', 'unavailable'] as const;

/** The routes of the identity and of the context. */
export const identityRoutes: readonly Route<AgentMemoryDeps>[] = [
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/spirit`,
    summary: 'Answers who the agent is.',
    params: noParams,
    body: noBody,
    answer: spiritSchema,
    run: (_call, { memory }: AgentMemoryDeps) => memory.identity.spirit(),
  }),
  defineRoute({
    method: 'put',
    path: `${ROOT}/identity/spirit`,
    summary: 'Writes fields of SPIRIT.md; those left out stay.',
    params: noParams,
    body: spiritPatchSchema,
    answer: spiritSchema,
    errors: writeErrors,
    run: ({ body }, { memory }: AgentMemoryDeps) => memory.identity.writeSpirit(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/owner`,
    summary: 'Answers whom the agent serves.',
    params: noParams,
    body: noBody,
    answer: ownerSchema,
    run: (_call, { memory }: AgentMemoryDeps) => memory.identity.owner(),
  }),
  defineRoute({
    method: 'put',
    path: `${ROOT}/identity/owner`,
    summary: 'Writes fields of OWNER.md; those left out stay.',
    params: noParams,
    body: ownerPatchSchema,
    answer: ownerSchema,
    errors: writeErrors,
    run: ({ body }, { memory }: AgentMemoryDeps) => memory.identity.writeOwner(body),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/tools`,
    summary: 'Lists the tools of TOOLS.md, those that are off too.',
    params: noParams,
    body: noBody,
    answer: z.object({ items: z.array(toolSchema), total: z.number().int() }),
    run: async (_call, { memory }: AgentMemoryDeps) => {
      const items = await memory.identity.tools();
      return { items, total: items.length };
    },
  }),
  defineRoute({
    method: 'patch',
    path: `${ROOT}/identity/tools/:name`,
    summary: 'Turns a tool of TOOLS.md on or off.',
    params: z.object({ name: toolNameSchema }),
    body: toolSwitchSchema,
    answer: toolSchema,
    errors: [...writeErrors, 'not_found'],
    run: ({ params: { name }, body: { enabled } }, { memory }: AgentMemoryDeps) =>
      memory.identity.setTool(name, enabled),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/identity/init`,
    summary: 'Makes the files that are missing, with empty sections; never overwrites one.',
    params: noParams,
    body: noBody,
    answer: initSchema,
    errors: writeErrors,
    run: (_call, { memory }: AgentMemoryDeps) => memory.identity.init(),
  }),
  defineRoute({
    method: 'get',
    path: `${ROOT}/identity/status`,
    summary: 'Tells which files there are, and which required fields are empty.',
    params: noParams,
    body: noBody,
    answer: statusSchema,
    run: (_call, { memory }: AgentMemoryDeps) => memory.identity.status(),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/context/load`,
    summary: 'Answers the context of a prompt within a token budget.',
    params: noParams,
    body: contextSchema.prefault({}),
    answer: contextAnswerSchema,
    run: ({ body }, { memory }: AgentMemoryDeps) => memory.loadContext(body),
  }),
  defineRoute({
    method: 'post',
    path: `${ROOT}/context/reload`,
    summary: 'Looks at every file again, then answers as /context/load.',
    params: noParams,
    body: contextSchema.prefault({}),
    answer: contextAnswerSchema,
    run: async ({ body }, { memory }: AgentMemoryDeps) => {
      await memory.sync();
      return memory.loadContext(body);
    },
  }),
];
