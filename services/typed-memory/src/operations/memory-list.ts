import { typedMemory as contract, memoryTypes } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryTypes } from '../domain/memory-type.ts';
import { toShown } from './answers.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

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
