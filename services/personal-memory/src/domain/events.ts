import { ContextloomError, type JsonObject, type JsonValue } from '@contextloom/contracts';
import { type MemoryContext, toSearchable } from './context.ts';
import { requireEntity } from './entities.ts';
import type { EventType, MemoryEvent } from './model.ts';
import type { MemoryReader } from './store.ts';
import { toEventTime } from './times.ts';

/** Something to remember that happened. */
export interface NewEvent {
  readonly event_type: EventType;
  readonly description: string;
  readonly related_entity_ids?: readonly number[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly timestamp?: string | undefined;
  readonly importance: number;
  readonly tags?: readonly string[] | undefined;
  readonly parent_event_id?: number | undefined;
}

function toTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(toTexts);
  return [];
}

/** The text by which an event is found: what it says, its tags, and the words of its metadata. */
export function toEventText({
  description,
  tags,
  metadata,
}: Pick<MemoryEvent, 'description' | 'tags' | 'metadata'>): string {
  return [description, ...tags, ...toTexts(metadata)].join('\n');
}

function requireKnown({ related_entity_ids = [], parent_event_id }: NewEvent, reader: MemoryReader): void {
  const unknown = related_entity_ids.filter((id) => reader.entity(id) === undefined);
  if (unknown.length > 0) {
    const message = `related_entity_ids: ${unknown.join(', ')} not known; create_entity makes one, list_entities shows the ids there are`;
    throw new ContextloomError('invalid', message, { field: 'related_entity_ids' });
  }
  if (parent_event_id !== undefined && reader.events({ ids: [parent_event_id] }).length === 0) {
    const message = `parent_event_id ${parent_event_id} is not known; search_events shows the ids there are`;
    throw new ContextloomError('invalid', message, { field: 'parent_event_id' });
  }
}

/**
 * Stores what happened and answers with its id.
 * @throws ContextloomError `invalid` for a time or an id that is not one
 */
export async function addEvent(given: NewEvent, context: MemoryContext): Promise<number> {
  const event: Omit<MemoryEvent, 'id'> = {
    type: given.event_type,
    description: given.description,
    entityIds: [...new Set(given.related_entity_ids ?? [])],
    metadata: given.metadata ?? {},
    tags: given.tags ?? [],
    time: toEventTime(given.timestamp, context),
    importance: given.importance,
    parentId: given.parent_event_id ?? null,
  };
  const text = await toSearchable(toEventText(event), context);
  return context.memory.change((writer) => {
    requireKnown(given, writer);
    return writer.addEvent(event, context.now().getTime(), text);
  });
}

/** The events of an entity, newest first. @throws ContextloomError `not_found` */
export function listTimeline(
  { entityId, limit }: { readonly entityId: number; readonly limit: number },
  { memory, maxEvents }: MemoryContext,
): readonly MemoryEvent[] {
  requireEntity(entityId, memory);
  return memory.events({ entityId }, Math.min(limit, maxEvents));
}
