import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type ChatContext, changeMemory } from './deps.ts';

/** Puts one memory into other words. */
export const updateMemory = defineOperation({
  name: 'update_memory',
  title: 'Correct a memory',
  description:
    'Replaces what one memory says; of a fact, its value.\nUse it when the user corrects something: recall it first for its id.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_memory,
  example: {
    input: { user_id: 'ann', id: 'fact:city', text: 'Leith' },
    output: { id: 'fact:city', store: 'personal-memory', message: 'Corrected.' },
  },
  run: async ({ text, ...call }, context: ChatContext) => {
    const { service } = await changeMemory(call, context, (store, own) => store.update(own, text));
    return { id: call.id, store: service, message: 'Corrected.' };
  },
});
