import { ContextloomError } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEvent, toEventAnswer } from './event-answer.ts';

/** Reads an event by its id. */
export const getEventOperation = defineOperation({
  name: 'get_event',
  title: 'Get an event',
  description: 'Reads one event by its id.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_event,
  example: { input: { user_id: 'ann', event_id: 1 }, output: { event: exampleEvent } },
  run: ({ user_id, event_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, ({ memory }) => {
      const [event] = memory.events({ ids: [event_id] });
      if (event !== undefined) return { event: toEventAnswer(event) };
      const message = `event_id ${event_id} is not known; search_events shows the ids there are`;
      throw new ContextloomError('not_found', message, { field: 'event_id' });
    }),
});
