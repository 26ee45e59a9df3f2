import { z } from 'zod';
import { idField } from '../domain/fields.ts';
import { deletionAnswer, toDeletionAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Deletes an event. */
export const deleteEventTool = defineUserTool({
  name: 'delete_event',
  title: 'Forget an event',
  description: 'Deletes an event for good. Events that name it as their parent stay, without one.',
  kind: 'replaces',
  input: z.object({ event_id: idField('The event.') }),
  output: deletionAnswer,
  run: async ({ event_id }, { memory }) =>
    toDeletionAnswer(await memory.change((writer) => writer.deleteEvent(event_id))),
});
