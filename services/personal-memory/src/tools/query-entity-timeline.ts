import { z } from 'zod';
import { listTimeline } from '../domain/events.ts';
import { idField } from '../domain/fields.ts';
import { eventAnswer, toEventAnswer } from './answers.ts';
import { limitField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists the events of an entity. */
export const queryEntityTimelineTool = defineUserTool({
  name: 'query_entity_timeline',
  title: 'What happened to a pet, a person, a thing',
  description: 'Lists the events about an entity, newest first.',
  kind: 'reads',
  list: 'events',
  input: z.object({ entity_id: idField('The entity.'), limit: limitField(10) }),
  output: z.object({ events: z.array(eventAnswer) }),
  run: ({ entity_id, limit }, context) => ({
    events: listTimeline({ entityId: entity_id, limit }, context).map((event) => toEventAnswer(event)),
  }),
});
