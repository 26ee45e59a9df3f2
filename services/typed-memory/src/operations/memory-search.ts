import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { toMemoryTypes } from '../domain/memory-type.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';
import { boundUser, memorySchema, memoryTypesSchema, text, toShown } from './wire-schemas.ts';

/** Most results of one search. */
export const MAX_SEARCH_LIMIT = 50;
const SHARE = 'must be a number from 0 to 1';
const LIMIT = `must be a whole number from 1 to ${MAX_SEARCH_LIMIT}`;

/** Finds memories. */
export const memorySearch = defineOperation({
  name: 'memory_search',
  title: 'Search memories',
  description:
    'Finds what is remembered of the user. Use it before answering and before memory_add. Secrets are listed by label; naming knowledge_vault in memory_types reveals those whose label, or memory_id, the query names.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    ...boundUser,
    query: text(100_000).describe('What to look for, in natural language; or the memory_id of one memory.'),
    memory_types: memoryTypesSchema.describe('Only these types; all of them when absent.'),
    limit: z
      .number()
      .int(LIMIT)
      .min(1, LIMIT)
      .max(MAX_SEARCH_LIMIT, LIMIT)
      .optional()
      .describe(`How many results, 1 to ${MAX_SEARCH_LIMIT}; 10 unless the server is set up otherwise.`),
    min_score: z.number(SHARE).min(0, SHARE).max(1, SHARE).optional().describe('What is less relevant is left out.'),
  }),
  output: z.object({
    success: z.literal(true),
    query: z.string(),
    memories: z.array(memorySchema),
    total_count: z.number().int(),
    nearest_score: z.number().optional().describe('Where nothing fits: how relevant the best memory was, 0 to 1.'),
  }),
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
