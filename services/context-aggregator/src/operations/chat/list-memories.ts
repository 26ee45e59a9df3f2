import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { toMemoryId } from '../../domain/stores/memory-id.ts';
import { toShownText } from '../../domain/stores/stored-memory.ts';
import { listAcross } from '../../sources/stores/list-across.ts';
import { serviceOf } from '../../sources/stores/open-stores.ts';
import { type ChatContext, isOfKind, toNarrowing, toStores } from './deps.ts';
import { memoryFields, narrowingFields, notAskedField, projectField, toTimeField, userField } from './fields.ts';

/** Every store has a place in a cursor, as long as its own cursors: some 2,000 characters. */
const MAX_CURSOR = 16_384;

/** Lists all that is remembered, page by page. */
export const listMemories = defineOperation({
  name: 'list_memories',
  title: 'List memories',
  description:
    'Lists all that is remembered about the user, store by store, newest first in each, or newest of all first.\nUse it to review everything; to answer a question use recall.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    limit: z.int().min(1).max(100).default(20),
    order: z.literal('newest').optional(),
    ...narrowingFields,
    cursor: z.string().max(MAX_CURSOR).optional().describe('next_cursor of the page before.'),
    ...projectField,
    ...userField,
  }),
  output: z.object({
    memories: z.array(z.object(memoryFields)),
    next_cursor: z.string().optional(),
    ...notAskedField,
  }),
  example: {
    input: { user_id: 'ann', kind: 'fact' },
    output: { memories: [{ id: 'fact:city', text: 'city: Leith', store: 'personal-memory' }], not_asked: [] },
  },
  run: async ({ kind, limit, cursor, order, tag, time_range, ...call }, context: ChatContext) => {
    const filter = { order, ...toNarrowing({ tag, time_range }, context) };
    const stores = toStores(call, context).filter(isOfKind(kind));
    const { memories, next, notAsked } = await listAcross(stores, { limit, cursor, filter });
    return {
      memories: memories.map(({ kind: its, own, text, time }) => ({
        id: toMemoryId({ kind: its, own }),
        text: toShownText(text, ''),
        store: serviceOf(its),
        ...toTimeField(time),
      })),
      ...(next !== undefined && { next_cursor: next }),
      not_asked: notAsked,
    };
  },
});
