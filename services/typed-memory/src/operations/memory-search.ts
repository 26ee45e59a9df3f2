import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
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
