import { ContextloomError } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toEventAddress } from '../../domain/addresses.ts';
import { addEvent, listTimeline, updateEvent } from '../../domain/events/events.ts';
import { followDeletion } from '../../domain/sources/follow.ts';
import { toDeletionAnswer, toListText, toPageFields } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEvent, toEventAnswer } from './event-answer.ts';

/** Stores an event. */
export const addEventOperation = defineOperation({
  name: 'add_event',
  title: 'Remember what happened',
  description: 'Stores something that happened, with the entities that it is about and when it was.',
  effect: 'adds',
  scope: 'user',
  ...contract.add_event,
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
    withMemoryOf(user_id, call, async ({ memory }) => {
      const [event] = await memory.events({ ids: [event_id] });
      if (event !== undefined) return { event: toEventAnswer(event) };
      const message = `event_id ${event_id} is not known; search_events shows the ids there are`;
      throw new ContextloomError('not_found', message, { field: 'event_id' });
    }),
});

/** Lists the events of an entity. */
export const queryEntityTimelineOperation = defineOperation({
  name: 'query_entity_timeline',
  title: 'Get the timeline of an entity',
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
    withMemoryOf(user_id, call, async (context) => {
      const listed = await listTimeline({ entityId: entity_id, ...page }, context);
      return { events: listed.items.map((event) => toEventAnswer(event)), ...toPageFields(listed) };
    }),
});

/** Changes an event. */
export const updateEventOperation = defineOperation({
  name: 'update_event',
  title: 'Correct an event',
  description:
    'Changes what is stored of an event: its words, type, time, entities, metadata, importance or tags. Metadata is merged key by key; null removes a key.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_event,
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
    withMemoryOf(user_id, call, async ({ memory }) => {
      const { isDeleted, consequences } = await memory.change(async (writer) => {
        const isDeleted = await writer.deleteEvent(event_id);
        return { isDeleted, consequences: isDeleted ? await followDeletion(toEventAddress(event_id), writer) : [] };
      });
      return toDeletionAnswer(isDeleted, consequences);
    }),
});
