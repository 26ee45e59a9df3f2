import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { addEvent } from '../../domain/events/events.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Stores an event. */
export const addEventOperation = defineOperation({
  name: 'add_event',
  title: 'Remember what happened',
  description: 'Stores something that happened, with the entities that it is about and when it was.',
  effect: 'adds',
  scope: 'user',
  ...contract.add_event,
  example: {
    input: {
      user_id: 'ann',
      event_type: 'illness',
      description: 'Biscuit saw the vet',
      related_entity_ids: [1],
      metadata: { cost: 180 },
      timestamp: 'yesterday',
    },
    output: { event_id: 1 },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({ event_id: await addEvent(given, context) })),
});
