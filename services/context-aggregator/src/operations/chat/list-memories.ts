import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryId } from '../../domain/stores/memory-id.ts';
import { toShownText } from '../../domain/stores/stored-memory.ts';
import { listAcross } from '../../sources/stores/list-across.ts';
import { serviceOf } from '../../sources/stores/open-stores.ts';
import { type ChatContext, isOfKind, toNarrowing, toStores } from './deps.ts';
import { toTimeField } from './fields.ts';

/** Lists all that is remembered, page by page. */
export const listMemories = defineOperation({
  name: 'list_memories',
  title: 'List memories',
  description:
    'Lists all that is remembered about the user, newest first.\nUse it to review everything; to answer a question use recall.',
  effect: 'reads',
  scope: 'user',
  ...contract.list_memories,
  example: {
    input: { user_id: 'ann', kind: 'fact' },
    output: { memories: [{ id: 'fact:city', text: 'city: Leith', store: 'personal-memory' }], not_asked: [] },
  },
  run: async ({ kind, limit, cursor, order, tag, time_range, ...call }, context: ChatContext) => {
    const filter = { order, ...toNarrowing({ tag, time_range }, context) };
    const stores = toStores(call, context).filter(isOfKind(kind));
    const { memories, next, total, notAsked } = await listAcross(stores, { limit, cursor, filter });
    return {
      memories: memories.map(({ kind: its, own, text, time }) => ({
        id: toMemoryId({ kind: its, own }),
        text: toShownText(text, ''),
        store: serviceOf(its),
        ...toTimeField(time),
      })),
      ...(next !== undefined && { next_cursor: next }),
      ...(total !== undefined && { total }),
      not_asked: notAsked,
    };
  },
});
