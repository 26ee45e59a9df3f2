import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { updateEvent } from '../../domain/events/events.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Changes an event. */
export const updateEventOperation = defineOperation({
  name: 'update_event',
  title: 'Correct an event',
  description:
    'Changes what is stored of an event: its words, type, time, entities, metadata, importance or tags. Metadata is merged key by key; null removes a key.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_event,
  example: {
    input: { user_id: 'ann', event_id: 1, timestamp: '2026-03-02' },
    output: { updated: true, changes: 1 },
  },
  run: ({ user_id, ...update }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { event_id, ...changes } = update;
      if (Object.values(changes).every((value) => value === undefined)) {
        const message = 'nothing to change: give description, event_type, timestamp, entities, metadata or tags';
        return { updated: false, message };
      }
      if (await updateEvent(update, context)) return { updated: true, changes: 1 };
      return { updated: false, message: `event_id ${event_id} is not known; search_events shows the ids there are` };
    }),
});
