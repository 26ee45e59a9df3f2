import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toDeletionAnswer } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Deletes an event. */
export const deleteEventOperation = defineOperation({
  name: 'delete_event',
  title: 'Forget an event',
  description: 'Deletes an event for good. Events that name it as their parent stay, without one.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_event,
  example: {
    input: { user_id: 'ann', event_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, event_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async ({ memory }) =>
      toDeletionAnswer(await memory.change((writer) => writer.deleteEvent(event_id))),
    ),
});
