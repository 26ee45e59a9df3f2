import { typedMemory as contract, memoryTypes } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryTypes } from '../domain/memory-type.ts';
import { toShown } from './answers.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

/** Finds memories. */
export const memorySearch = defineOperation({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Finds what is remembered of the user. Use it before answering and before memory_add. Secrets are listed by label; naming knowledge_vault in memory_types reveals those whose label, or memory_id, the query names.',
  effect: 'reads',
  scope: 'user',
  ...contract.memory_search,
  example: {
    input: { user_id: 'ann', query: 'allergies' },
    output: {
      success: true,
      query: 'allergies',
      memories: [{ memory_id: 'mem_1f0c', type: 'core', content: 'Allergic to peanuts', score: 0.82, relevance: 0.82 }],
      total_count: 1,
    },
  },
  route: toolRoute('memory_search'),
  run: async (
    { user_id, query, memory_types, limit, min_score },
    { deps: { memory, searchLimit }, signal }: TypedMemoryContext,
  ) => {
    const types = toMemoryTypes(memory_types);
    const request = { query, types, limit: limit ?? searchLimit, minScore: min_score, isRevealing: true, signal };
    const found = await memory.recall(user_id, request);
    const nearest = found.length === 0 ? await memory.nearest(user_id, request) : undefined;
    const near = nearest === undefined ? {} : { nearest_score: nearest };
    return { success: true as const, query, memories: found.map(toShown), total_count: found.length, ...near };
  },
});

/** Lists memories. */
export const memoryList = defineOperation({
  name: 'memory_list',
  title: 'List memories',
  description:
    'Lists all that is remembered of the user, last changed first or newest first, page by page, with the id of each. Use it to review or correct; to look for something use memory_search. Secrets are listed by label.',
  effect: 'reads',
  scope: 'user',
  ...contract.memory_list,
  example: {
    input: { user_id: 'ann', memory_types: ['core'] },
    output: {
      success: true,
      memories: [{ memory_id: 'mem_1f0c', type: 'core', content: 'Allergic to peanuts' }],
      total_count: 1,
    },
  },
  route: toolRoute('memory_list'),
  run: async ({ user_id, memory_types, ...page }, { deps: { memory } }: TypedMemoryContext) => {
    const types = toMemoryTypes(memory_types) ?? memoryTypes;
    const { memories, total, next } = await memory.list(user_id, { ...page, types });
    return { success: true as const, memories: memories.map(toShown), total_count: total, next_cursor: next };
  },
});

/** Reads one memory by its id. */
export const memoryGet = defineOperation({
  name: 'memory_get',
  title: 'Get a memory',
  description:
    'Reads one memory by its id, whole, with what it said before under "previous". Of a secret it shows the label.',
  effect: 'reads',
  scope: 'user',
  ...contract.memory_get,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c' },
    output: { success: true, memory: { memory_id: 'mem_1f0c', type: 'core', content: 'Allergic to peanuts' } },
  },
  route: { ...toolRoute('memory_get'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id }, { deps: { memory }, signal }: TypedMemoryContext) => ({
    success: true as const,
    memory: toShown(await memory.read(user_id, memory_id, signal)),
  }),
});

/** Puts a memory into other words. */
export const memoryUpdate = defineOperation({
  name: 'memory_update',
  title: 'Correct a memory',
  description:
    'Replaces the words of one memory, under the same id and type; what it said before stays under "previous". Use it when the user corrects something. A secret cannot be updated: delete it and add the new one.',
  effect: 'replaces',
  hints: { isIdempotent: false, isDestructive: false },
  scope: 'user',
  ...contract.memory_update,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c', content: 'Allergic to walnuts' },
    output: {
      success: true,
      memory: {
        memory_id: 'mem_1f0c',
        type: 'core',
        content: 'Allergic to walnuts',
        previous: [{ content: 'Allergic to peanuts', until: '2026-03-01T08:00:00.000Z' }],
      },
    },
  },
  route: { ...toolRoute('memory_update'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id, content }, { deps: { memory } }: TypedMemoryContext) => ({
    success: true as const,
    memory: toShown(await memory.correct(user_id, { id: memory_id, content })),
  }),
});

/** Removes a memory. */
export const memoryDelete = defineOperation({
  name: 'memory_delete',
  title: 'Forget a memory',
  description:
    'Removes one memory from searches, lists, profiles and prompts. Adding the same text again brings it back with its history; with erase nothing of it stays. Secrets are always erased.',
  effect: 'deletes',
  scope: 'user',
  ...contract.memory_delete,
  example: {
    input: { user_id: 'ann', memory_id: 'mem_1f0c' },
    output: { success: true, message: 'Memory deleted.' },
  },
  route: { ...toolRoute('memory_delete'), errors: ['not_found', 'unavailable', 'timeout'] },
  run: async ({ user_id, memory_id, erase }, { deps: { memory } }: TypedMemoryContext) => {
    await memory.remove(user_id, { id: memory_id, isErased: erase });
    return { success: true as const, message: erase ? 'Memory erased.' : 'Memory deleted.' };
  },
});
