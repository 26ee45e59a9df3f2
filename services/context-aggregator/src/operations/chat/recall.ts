import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { MAX_COMPARED } from '@contextloom/retrieval/ranking';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryId } from '../../domain/stores/memory-id.ts';
import { rankHits } from '../../domain/stores/stored-memory.ts';
import { serviceOf } from '../../sources/stores/open-stores.ts';
import { recallAcross } from '../../sources/stores/recall-across.ts';
import { type ChatContext, isOfKind, toNarrowing, toStores } from './deps.ts';
import { toTimeField } from './fields.ts';

/** Finds what is remembered, in all stores at once. */
export const recall = defineOperation({
  name: 'recall',
  title: 'Recall',
  description:
    'Finds what is remembered about the user, best first.\nUse it before answering anything that may depend on the past.',
  effect: 'reads',
  scope: 'user',
  ...contract.recall,
  example: {
    input: { user_id: 'ann', query: 'Where does she live?' },
    output: {
      memories: [
        {
          id: 'fact:city',
          text: 'city: Leith',
          store: 'personal-memory',
          time: '2026-05-01T09:30:00.000Z',
          score: 0.8,
          relevance: 0.8,
        },
      ],
      not_asked: [],
    },
  },
  run: async ({ query, limit, kind, tag, time_range, ...call }, context: ChatContext) => {
    const filter = toNarrowing({ tag, time_range }, context);
    const stores = toStores(call, context, 'together').filter(isOfKind(kind));
    const { found, notAsked } = await recallAcross(stores, { query, limit: Math.max(limit, MAX_COMPARED), filter });
    const { sanitize, meter } = context.deps;
    const { hits, instructions, withheld } = rankHits(found, {
      sanitize,
      query,
      limit,
      countTokens: meter.countTokens,
    });
    return {
      memories: hits.map(({ kind, own, text, time, score }) => ({
        id: toMemoryId({ kind, own }),
        text,
        store: serviceOf(kind),
        ...toTimeField(time),
        score,
        relevance: score,
      })),
      not_asked: notAsked,
      ...(instructions > 0 && { instructions_left_out: instructions }),
      ...(withheld !== undefined && { withheld }),
    };
  },
});
