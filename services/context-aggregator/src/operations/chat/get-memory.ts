import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { type ChatContext, findMemory } from './deps.ts';
import { idField, memoryFields, toTimeField, userField } from './fields.ts';

/** Reads one memory, with all that its store says of it. */
export const getMemory = defineOperation({
  name: 'get_memory',
  title: 'Get a memory',
  description:
    'Reads one memory of the user whole, by the id that recall, remember or list_memories gave, with what its store says of it: metadata, earlier versions, links.',
  effect: 'reads',
  scope: 'user',
  input: z.object({ ...idField, ...userField }),
  output: z.object({
    ...memoryFields,
    details: z.looseObject({}).describe('As the store has it: its fields are those of the store.'),
  }),
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
    return { id: call.id, text, store: service, ...toTimeField(time), details: { ...details } };
  },
});
