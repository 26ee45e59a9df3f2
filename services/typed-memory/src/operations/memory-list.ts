import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { memoryTypes, toMemoryTypes } from '../domain/memory-type.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';
import { boundUser, memorySchema, memoryTypesSchema, toShown } from './wire-schemas.ts';

const timeSchema = z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' });
const LIMIT = 'must be a whole number from 1 to 200';

/** Lists memories. */
export const memoryList = defineOperation({
  name: 'memory_list',
  title: 'List memories',
  description:
    'Lists all that is remembered of the user, last changed first or newest first, page by page, with the id of each. Use it to review or correct; to look for something use memory_search. Secrets are listed by label.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    ...boundUser,
    memory_types: memoryTypesSchema.describe('Only these types; all of them when absent.'),
    order: z
      .enum(['updated', 'newest'])
      .default('updated')
      .describe('What comes first: last changed, or newest by when it happened.'),
    since: timeSchema.optional().describe('Only what happened then (else was made then) or later; ISO 8601.'),
    until: timeSchema.optional().describe('Only what happened before this.'),
    limit: z.int(LIMIT).min(1, LIMIT).max(200, LIMIT).default(20).describe('How many a page.'),
    cursor: z.string().max(2_048).optional().describe('The next_cursor of the page before.'),
  }),
  output: z.object({
    success: z.literal(true),
    memories: z.array(memorySchema),
    total_count: z.int().describe('How many there are on all pages.'),
    next_cursor: z.string().optional().describe('Asks for the next page; absent on the last.'),
  }),
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
