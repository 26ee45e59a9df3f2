import { type EntityType, entityTypes, type Grouping, type Status } from '@contextloom/contracts/personal-memory';
import type { MemoryContext } from '../context.ts';
import type { Entity, MemoryEvent } from '../model.ts';
import { createTally, type NumberSummary, numberOf } from '../numbers.ts';
import { readEntityPages, readEventPages } from '../pages.ts';
import type { EntityFilter, EventFilter, MemoryReader, Page } from '../store.ts';
import { createCalendar } from '../times.ts';

/** Most groups of one summary: no reader adds up more, and the total counts all. */
const MAX_GROUPS = 1_000;

/** A group of events. */
export interface EventGroup {
  readonly group: string;
  /** The entity of the group, when grouped by entity. */
  readonly entityId?: number;
  readonly count: number;
  readonly firstTime: number;
  readonly lastTime: number;
  readonly numbers: NumberSummary | undefined;
}

/** Events in groups, and all of them together. */
export interface EventSummary {
  readonly count: number;
  readonly numbers: NumberSummary | undefined;
  /** Months in order; others by their number of events. */
  readonly groups: readonly EventGroup[];
}

interface Bucket {
  readonly label: string;
  readonly entityId?: number;
}

/** Builds the function that names the groups of an event; one about two entities is in two groups. */
async function createToBuckets(
  by: Grouping,
  { memory, zone }: MemoryContext,
): Promise<(event: MemoryEvent) => readonly Bucket[]> {
  if (by === 'type') return ({ type }) => [{ label: type }];
  if (by === 'month') {
    const { monthOf } = createCalendar(zone);
    return ({ time }) => [{ label: monthOf(time) }];
  }
  const names = new Map<number, string>();
  for await (const page of readEntityPages(memory)) {
    for (const { id, name, type } of page) names.set(id, name ?? `${type} ${id}`);
  }
  return ({ entityIds }) =>
    entityIds.length === 0
      ? [{ label: 'none' }]
      : entityIds.map((entityId) => ({ label: names.get(entityId) ?? String(entityId), entityId }));
}

/** Counts events one by one, newest first. */
function createEventCount(field: string) {
  const tally = createTally();
  let count = 0;
  let firstTime: number | undefined;
  let lastTime: number | undefined;
  return {
    count: ({ time, metadata }: MemoryEvent): void => {
      const value = numberOf(metadata, field);
      if (value !== undefined) tally.count(value);
      count += 1;
      firstTime = time;
      lastTime ??= time;
    },
    result: () => ({ count, firstTime, lastTime, numbers: tally.summary() }),
  };
}
type EventCount = ReturnType<typeof createEventCount>;

/** Counts events by type, month or entity, and sums up a number of their metadata. */
export async function summarizeEvents(
  { by, field, filter }: { readonly by: Grouping; readonly field: string; readonly filter: EventFilter },
  context: MemoryContext,
): Promise<EventSummary> {
  const toBuckets = await createToBuckets(by, context);
  const total = createEventCount(field);
  const groups = new Map<string, { bucket: Bucket; events: EventCount }>();
  for await (const page of readEventPages(context.memory, filter)) {
    for (const event of page) {
      total.count(event);
      for (const bucket of toBuckets(event)) {
        const key = `${bucket.entityId ?? ''} ${bucket.label}`;
        const group = groups.get(key) ?? { bucket, events: createEventCount(field) };
        group.events.count(event);
        groups.set(key, group);
      }
    }
  }
  const summed = [...groups.values()].map(({ bucket, events }): EventGroup => {
    const { count, firstTime = 0, lastTime = 0, numbers } = events.result();
    const entity = bucket.entityId === undefined ? {} : { entityId: bucket.entityId };
    return { group: bucket.label, ...entity, count, firstTime, lastTime, numbers };
  });
  const byCount = (a: EventGroup, b: EventGroup): number => b.count - a.count;
  const byLabel = (a: EventGroup, b: EventGroup): number => (a.group < b.group ? -1 : 1);
  const ordered = summed.sort((a, b) => (by === 'month' ? byLabel(a, b) : byCount(a, b) || byLabel(a, b)));
  const { count, numbers } = total.result();
  return { count, numbers, groups: ordered.slice(0, MAX_GROUPS) };
}

/** An entity with what its events come to. */
export interface EntitySummary {
  readonly entity: Entity;
  readonly events: number;
  readonly lastTime: number | undefined;
  /** Of the events' `cost`. */
  readonly cost: NumberSummary | undefined;
}

/** Entities, each with what its events come to, and how many there are of each type. */
export interface EntitiesSummary {
  readonly counts: ReadonlyMap<EntityType, number>;
  readonly entities: readonly EntitySummary[];
}

/** Sums up the entities of a page, and counts all. */
export async function summarizeEntities(
  {
    page,
    ...filter
  }: { readonly type?: EntityType | undefined; readonly status?: Status | undefined; readonly page: Page },
  { memory }: MemoryContext,
): Promise<EntitiesSummary> {
  const listed = await memory.entities(filter, page);
  const counts = new Map<EntityType, number>();
  for (const type of entityTypes) counts.set(type, await countOf(memory, type, filter));
  const events = new Map(listed.map(({ id }) => [id, createEventCount('cost')]));
  for await (const part of readEventPages(memory, { entityIds: [...events.keys()] })) {
    for (const event of part) for (const id of event.entityIds) events.get(id)?.count(event);
  }
  return {
    counts,
    entities: listed.map((entity) => {
      const { count = 0, lastTime, numbers } = events.get(entity.id)?.result() ?? {};
      return { entity, events: count, lastTime, cost: numbers };
    }),
  };
}

async function countOf(
  memory: MemoryReader,
  type: EntityType,
  { type: wanted, status }: EntityFilter,
): Promise<number> {
  return wanted !== undefined && wanted !== type ? 0 : memory.countEntities({ type, status });
}
