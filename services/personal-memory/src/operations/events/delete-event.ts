import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { idField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { deletionAnswer, toDeletionAnswer } from '../wire-schemas.ts';

/** Deletes an event. */
export const deleteEventOperation = defineOperation({
  name: 'delete_event',
  title: 'Forget an event',
  description: 'Deletes an event for good. Events that name it as their parent stay, without one.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({ event_id: idField('The event.'), user_id: userIdSchema }),
  output: deletionAnswer,
  example: {
    input: { user_id: 'ann', event_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, event_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async ({ memory }) =>
      toDeletionAnswer(await memory.change((writer) => writer.deleteEvent(event_id))),
    ),
});
