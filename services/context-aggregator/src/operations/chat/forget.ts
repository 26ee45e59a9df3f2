import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type ChatContext, changeMemory } from './deps.ts';

/** Deletes one memory. */
export const forget = defineOperation({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Deletes one memory for good.\nUse it when the user asks to forget something: recall it first for its id.',
  effect: 'deletes',
  scope: 'user',
  ...contract.forget,
  example: {
    input: { user_id: 'ann', id: 'event:3' },
    output: { id: 'event:3', store: 'personal-memory', message: 'Forgotten.' },
  },
  run: async (call, context: ChatContext) => {
    const { kind, service } = await changeMemory(call, context, (store, own) => store.remove(own));
    // Events may name it: personal memory keeps an entity for them, and lists it no more.
    const message = kind === 'entity' ? 'Forgotten; events about it stay.' : 'Forgotten.';
    return { id: call.id, store: service, message };
  },
});
