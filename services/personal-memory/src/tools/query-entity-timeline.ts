import { z } from 'zod';
import { listTimeline, usualLimits } from '../domain/events.ts';
import { idField } from '../domain/fields.ts';
import { eventAnswer, toEventAnswer } from './answers.ts';
import { limitField, nextOffsetAnswer, offsetField, toNextOffset } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists the events of an entity. */
export const queryEntityTimelineTool = defineUserTool({
  name: 'query_entity_timeline',
  title: 'What happened to a pet, a person, a thing',
  description: 'Lists the events about an entity, newest first.',
  kind: 'reads',
  list: 'events',
  input: z.object({ entity_id: idField('The entity.'), limit: limitField(usualLimits.timeline), offset: offsetField }),
  output: z.object({ events: z.array(eventAnswer), next_offset: nextOffsetAnswer }),
  run: ({ entity_id, ...page }, context) => {
    const listed = listTimeline({ entityId: entity_id, ...page }, context);
    return { events: listed.items.map((event) => toEventAnswer(event)), ...toNextOffset(listed) };
  },
});
