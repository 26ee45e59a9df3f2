import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { listTimeline, usualLimits } from '../../domain/events/events.ts';
import { idField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { limitField, nextOffsetAnswer, offsetField, toListText, toNextOffset } from '../wire-schemas.ts';
import { eventAnswer, exampleEvent, toEventAnswer } from './event-answer.ts';

/** Lists the events of an entity. */
export const queryEntityTimelineOperation = defineOperation({
  name: 'query_entity_timeline',
  title: 'What happened to a pet, a person, a thing',
  description: 'Lists the events about an entity, newest first.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    entity_id: idField('The entity.'),
    limit: limitField(usualLimits.timeline),
    offset: offsetField,
    user_id: userIdSchema,
  }),
  output: z.object({ events: z.array(eventAnswer), next_offset: nextOffsetAnswer }),
  example: {
    input: { user_id: 'ann', entity_id: 1, limit: 5 },
    output: { events: [exampleEvent] },
  },
  toText: ({ events }) => toListText(events),
  run: ({ user_id, entity_id, ...page }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, (context) => {
      const listed = listTimeline({ entityId: entity_id, ...page }, context);
      return { events: listed.items.map((event) => toEventAnswer(event)), ...toNextOffset(listed) };
    }),
});
