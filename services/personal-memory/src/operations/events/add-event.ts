import { freeFormObject, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { addEvent } from '../../domain/events/events.ts';
import { idField, optionalField, shareField, tagsField, textField } from '../../domain/fields.ts';
import { eventTypes } from '../../domain/model.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Stores an event. */
export const addEventOperation = defineOperation({
  name: 'add_event',
  title: 'Remember what happened',
  description: 'Stores something that happened, with the entities that it is about and when it was.',
  effect: 'adds',
  scope: 'user',
  input: z.object({
    event_type: z.enum(eventTypes).describe('What kind of thing happened; memory://event-templates explains them.'),
    description: textField('What happened, in words by which it can be found again.'),
    related_entity_ids: z
      .array(idField('An entity.'))
      .max(100, 'must have at most 100 ids')
      .optional()
      .describe('The entities that it is about.'),
    metadata: freeFormObject('More about it, such as {"cost": 2000, "location": "北京"}.').optional(),
    timestamp: optionalField(z.string()).describe(
      'When it happened: ISO 8601, or a day such as 2025-10-27, yesterday, 昨天. Now when left out.',
    ),
    importance: shareField('How important it is.').default(0.5),
    tags: tagsField.optional(),
    parent_event_id: idField('The event that this is a part or a consequence of.').optional(),
    user_id: userIdSchema,
  }),
  output: z.object({ event_id: z.int() }),
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
