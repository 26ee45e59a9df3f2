import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { listTimeline } from '../../domain/events/events.ts';
import { toListText, toNextOffset } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEvent, toEventAnswer } from './event-answer.ts';

/** Lists the events of an entity. */
export const queryEntityTimelineOperation = defineOperation({
  name: 'query_entity_timeline',
  title: 'What happened to a pet, a person, a thing',
  description: 'Lists the events about an entity, newest first.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_entity_timeline,
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
