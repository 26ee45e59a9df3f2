import { freeFormObject, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { updateEvent } from '../../domain/events/events.ts';
import { idField, optionalField, shareField, tagsField, textField } from '../../domain/fields.ts';
import { eventTypes } from '../../domain/model.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Changes an event. */
export const updateEventOperation = defineOperation({
  name: 'update_event',
  title: 'Correct an event',
  description:
    'Changes what is stored of an event: its words, type, time, entities, metadata, importance or tags. Metadata is merged key by key; null removes a key.',
  effect: 'replaces',
  scope: 'user',
  input: z.object({
    event_id: idField('The event.'),
    event_type: optionalField(z.enum(eventTypes)).describe('What kind of thing happened.'),
    description: optionalField(textField('What happened.')),
    related_entity_ids: z
      .array(idField('An entity.'))
      .max(100, 'must have at most 100 ids')
      .optional()
      .describe('The entities that it is about, in place of those it has.'),
    metadata: freeFormObject('Keys to set; null removes one.').optional(),
    timestamp: optionalField(z.string()).describe('When it happened: ISO 8601, or a day such as 2025-10-27, 昨天.'),
    importance: shareField('How important it is.').optional(),
    tags: tagsField.optional(),
    user_id: userIdSchema,
  }),
  output: z.object({ updated: z.boolean(), changes: z.int().optional(), message: z.string().optional() }),
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
