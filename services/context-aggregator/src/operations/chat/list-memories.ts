import { defineOperation } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { memoryKinds, toMemoryId } from '../../domain/stores/memory-id.ts';
import { toShownText } from '../../domain/stores/stored-memory.ts';
import { listAcross } from '../../sources/stores/list-across.ts';
import { serviceOf } from '../../sources/stores/open-stores.ts';
import { type ChatContext, toStores } from './deps.ts';
import { memoryFields, notAskedField, projectField, toTimeField, userField } from './fields.ts';

/** Lists all that is remembered, page by page. */
export const listMemories = defineOperation({
  name: 'list_memories',
  title: 'List memories',
  description:
    'Lists all that is remembered about the user, store by store, newest first in each.\nUse it to review everything; to answer a question use recall.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    kind: z.enum(memoryKinds).optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(4_096).optional().describe('next_cursor of the page before.'),
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
  run: async ({ kind, limit, cursor, ...call }, context: ChatContext) => {
    const stores = toStores(call, context).filter((store) => kind === undefined || store.kind === kind);
    const { memories, next, notAsked } = await listAcross(stores, { limit, cursor });
    return {
      memories: memories.map(({ kind: its, own, text, time }) => ({
        ...{ id: toMemoryId({ kind: its, own }), text: toShownText(text, ''), store: serviceOf(its) },
        ...toTimeField(time),
      })),
      ...(next !== undefined && { next_cursor: next }),
      not_asked: notAsked,
    };
  },
});
