import { ContextloomError, type JsonObject, type JsonValue } from '@contextloom/contracts';
import { type EventType, usualLimits } from '@contextloom/contracts/personal-memory';
import { toEventAddress } from '../addresses.ts';
import { type MemoryContext, toSearchable } from '../context.ts';
import { requireEntity } from '../entities/entities.ts';
import { mergeObject } from '../merge-object.ts';
import { CHANGED_TAG, type MemoryEvent } from '../model.ts';
import { type Listed, type PageRequest, toListed } from '../pages.ts';
import { withSourceTrust } from '../sources/trust.ts';
import type { MemoryReader } from '../store.ts';
import { toEventTime } from '../times.ts';

/** An event to store. */
export interface NewEvent {
  readonly event_type: EventType;
  readonly description: string;
  readonly related_entity_ids?: readonly number[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly timestamp?: string | undefined;
  readonly importance: number;
  readonly tags?: readonly string[] | undefined;
  readonly parent_event_id?: number | undefined;
  /** What it was drawn from. */
  readonly derived_from?: readonly string[] | undefined;
  /** When it is forgotten. */
  readonly expires_at?: string | undefined;
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

async function requireKnown(
  { related_entity_ids = [], parent_event_id }: Pick<NewEvent, 'related_entity_ids' | 'parent_event_id'>,
  reader: MemoryReader,
): Promise<void> {
  const unknown: number[] = [];
  for (const id of related_entity_ids) if ((await reader.entity(id)) === undefined) unknown.push(id);
  if (unknown.length > 0) {
    const message = `related_entity_ids: ${unknown.join(', ')} not known; create_entity makes one, list_entities shows the ids there are`;
    throw new ContextloomError('invalid', message, { field: 'related_entity_ids' });
  }
  if (parent_event_id !== undefined && (await reader.events({ ids: [parent_event_id] })).length === 0) {
    const message = `parent_event_id ${parent_event_id} is not known; search_events shows the ids there are`;
    throw new ContextloomError('invalid', message, { field: 'parent_event_id' });
  }
}

/**
 * Stores an event and returns its id.
 * @throws ContextloomError `invalid` for a time that cannot be read or an unknown id
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
  return context.memory.change(async (writer) => {
    await requireKnown(given, writer);
    const metadata = await withSourceTrust(event.metadata, given.derived_from, writer);
    const id = await writer.addEvent({ ...event, metadata }, context.clock().getTime(), text);
    if (given.derived_from !== undefined) await writer.putSources(toEventAddress(id), given.derived_from);
    const end = context.toEnd?.({ ...given, kinds: ['event', event.type, ...event.tags] });
    await writer.putEnd(toEventAddress(id), end);
    return id;
  });
}

/** A change of an event; what is absent stays. */
export type EventUpdate = { readonly event_id: number } & {
  readonly [Field in keyof Omit<NewEvent, 'parent_event_id' | 'derived_from' | 'expires_at'>]?:
    | NewEvent[Field]
    | undefined;
};

/**
 * Changes an event, and by which words it is found; `false` for an unknown id.
 * @throws ContextloomError `invalid` for a time that cannot be read or an unknown entity
 */
export async function updateEvent(update: EventUpdate, context: MemoryContext): Promise<boolean> {
  const { memory } = context;
  const time = update.timestamp === undefined ? undefined : toEventTime(update.timestamp, context);
  const apply = (event: MemoryEvent): MemoryEvent => ({
    ...event,
    type: update.event_type ?? event.type,
    description: update.description ?? event.description,
    entityIds: update.related_entity_ids === undefined ? event.entityIds : [...new Set(update.related_entity_ids)],
    metadata: mergeObject(event.metadata, update.metadata ?? {}),
    tags: update.tags ?? event.tags,
    time: time ?? event.time,
    importance: update.importance ?? event.importance,
  });
  const find = async (reader: MemoryReader): Promise<MemoryEvent | undefined> =>
    (await reader.events({ ids: [update.event_id] }))[0];
  // An embedder may be called for the vector, which no transaction waits for: what was changed meanwhile is looked at again.
  for (let event = await find(memory); event !== undefined; ) {
    const text = toEventText(apply(event));
    const searchable = await toSearchable(text, context);
    const outcome = await memory.change(async (writer): Promise<MemoryEvent | boolean> => {
      const present = await find(writer);
      if (present === undefined) return false;
      await requireKnown(update, writer);
      const changed = apply(present);
      if (toEventText(changed) !== text) return present;
      await writer.putEvent(changed, searchable);
      // What a caller put into other words is theirs.
      if (update.description !== undefined) await writer.putSources(toEventAddress(update.event_id), []);
      return true;
    });
    if (typeof outcome === 'boolean') return outcome;
    event = outcome;
  }
  return false;
}

/**
 * How many events a call lists. More than there may be in one answer is refused: a shorter list without a word would be
 * taken for all there is. Only the usual number is lowered, since callers need not have requested it.
 * @throws ContextloomError `invalid`
 */
export function toEventLimit(limit: number, usual: number, { maxEvents }: Pick<MemoryContext, 'maxEvents'>): number {
  if (limit <= maxEvents) return limit;
  if (limit === usual) return maxEvents;
  const message = `limit must be at most ${maxEvents} here (MAX_EVENTS_PER_QUERY); offset lists what comes after`;
  throw new ContextloomError('invalid', message, { field: 'limit' });
}

/** The events of an entity, newest first. @throws ContextloomError `not_found`, or `invalid` for a limit too high */
export async function listTimeline(
  { entityId, offset, limit: requested }: PageRequest & { readonly entityId: number },
  context: MemoryContext,
): Promise<Listed<MemoryEvent>> {
  const limit = toEventLimit(requested, usualLimits.timeline, context);
  await requireEntity(entityId, context.memory);
  const filter = { entityId, withoutTag: CHANGED_TAG };
  return toListed(await context.memory.events(filter, { offset, limit: limit + 1 }), { offset, limit });
}
