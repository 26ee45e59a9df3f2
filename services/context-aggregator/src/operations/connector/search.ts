import { ContextloomError } from '@contextloom/contracts';
import { connectorOperations as contract } from '@contextloom/contracts/aggregator';
import { MAX_COMPARED } from '@contextloom/retrieval/ranking';
import { defineOperation } from '@contextloom/server-kit';
import { rankHits } from '../../domain/stores/stored-memory.ts';
import { recallAcross } from '../../sources/stores/recall-across.ts';
import { type ChatContext, toStores } from '../chat/deps.ts';
import { toCited } from './cited.ts';

const LIMIT = 10;

/** Finds what is remembered and known, as ChatGPT's connectors ask for it. */
export const search = defineOperation({
  name: 'search',
  title: 'Search memory',
  description:
    "Finds what the user's memory and documents say about a question, best first: ids, titles and addresses.\nUse fetch for the text of a result.",
  effect: 'reads',
  scope: 'user',
  ...contract.search,
  example: {
    input: { user_id: 'ann', query: 'Where does she live?' },
    output: { results: [{ id: 'fact:city', title: 'city: Leith', url: 'urn:contextloom:fact%3Acity' }] },
  },
  run: async ({ query, user_id }, context: ChatContext) => {
    const { found, notAsked } = await recallAcross(toStores({ user_id }, context, 'together'), {
      query,
      limit: MAX_COMPARED,
    });
    // The answer has no room to say so.
    if (found.length === 0 && notAsked.length > 0) {
      const names = notAsked.map(({ store, reason }) => `${store} ${reason}`).join('; ');
      throw new ContextloomError('unavailable', `what is remembered cannot be searched now: ${names}`);
    }
    const { guard, meter, access } = context.deps;
    const { hits } = rankHits(found, { guard, query, limit: LIMIT, countTokens: meter.countTokens });
    return { results: hits.map(({ kind, own, text }) => toCited({ kind, own }, text, access)) };
  },
});
