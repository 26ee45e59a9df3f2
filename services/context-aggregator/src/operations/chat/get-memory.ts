import { retractionKeys } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type ChatContext, findMemory } from './deps.ts';
import { toTimeField } from './fields.ts';

/** What had been read before a person changed it, as the metadata of a document tell. */
function readOriginal({ metadata }: Readonly<Record<string, unknown>>): string | undefined {
  const said = Object(metadata)[retractionKeys.said];
  return typeof said === 'string' ? said : undefined;
}

/** Reads one memory, with all that its store says of it. */
export const getMemory = defineOperation({
  name: 'get_memory',
  title: 'Get a memory',
  description:
    'Reads one memory of the user whole, by the id that recall, remember or list_memories gave, with what its store says of it: metadata, earlier versions, links.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_memory,
  example: {
    input: { user_id: 'ann', id: 'fact:city' },
    output: {
      id: 'fact:city',
      text: 'city: Leith',
      store: 'personal-memory',
      details: { key: 'city', value: 'Leith' },
    },
  },
  run: async (call, context: ChatContext) => {
    const { service, text, time, details } = await findMemory(call, context);
    const original = readOriginal(details);
    const changed = original === undefined ? {} : { original };
    return { id: call.id, text, store: service, ...toTimeField(time), ...changed, details: { ...details } };
  },
});
