import type { MemoryContext } from './context.ts';
import type { Entity, EntityType, MemoryEvent, Status } from './model.ts';
import { type NumberSummary, numberOf, summarizeNumbers } from './numbers.ts';
import type { EventFilter } from './store.ts';
import { createCalendar } from './times.ts';

/** By what events are put in groups. */
export const groupings = ['type', 'month', 'entity'] as const;
/** One of {@link groupings}. */
export type Grouping = (typeof groupings)[number];

/** Events that belong together. */
export interface EventGroup {
  readonly group: string;
  /** Of a group that is an entity. */
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

/** Builds what names the groups of an event; one about two entities is in two groups. */
function createToBuckets(by: Grouping, { memory, zone }: MemoryContext): (event: MemoryEvent) => readonly Bucket[] {
  if (by === 'type') return ({ type }) => [{ label: type }];
  if (by === 'month') {
    const { monthOf } = createCalendar(zone);
    return ({ time }) => [{ label: monthOf(time) }];
  }
  const names = new Map(memory.entities().map(({ id, name, type }) => [id, name ?? `${type} ${id}`]));
  return ({ entityIds }) =>
    entityIds.length === 0
      ? [{ label: 'none' }]
      : entityIds.map((entityId) => ({ label: names.get(entityId) ?? String(entityId), entityId }));
}

function sumUp(events: readonly MemoryEvent[], field: string): NumberSummary | undefined {
  return summarizeNumbers(events.flatMap(({ metadata }) => numberOf(metadata, field) ?? []));
}

/** Counts events by type, month or entity, and sums up a number of their metadata. */
export function summarizeEvents(
  { by, field, filter }: { readonly by: Grouping; readonly field: string; readonly filter: EventFilter },
  context: MemoryContext,
): EventSummary {
  const events = context.memory.events(filter);
  const toBuckets = createToBuckets(by, context);
  const groups = new Map<string, { bucket: Bucket; events: MemoryEvent[] }>();
  for (const event of events) {
    for (const bucket of toBuckets(event)) {
      const key = `${bucket.entityId ?? ''} ${bucket.label}`;
      const group = groups.get(key) ?? { bucket, events: [] };
      group.events.push(event);
      groups.set(key, group);
    }
  }
  const summed = [...groups.values()].map(
    ({ bucket, events: own }): EventGroup => ({
      group: bucket.label,
      ...(bucket.entityId !== undefined && { entityId: bucket.entityId }),
      count: own.length,
      firstTime: own.at(-1)?.time ?? 0,
      lastTime: own[0]?.time ?? 0,
      numbers: sumUp(own, field),
    }),
  );
  const byCount = (a: EventGroup, b: EventGroup): number => b.count - a.count;
  const byLabel = (a: EventGroup, b: EventGroup): number => (a.group < b.group ? -1 : 1);
  const ordered = summed.sort((a, b) => (by === 'month' ? byLabel(a, b) : byCount(a, b) || byLabel(a, b)));
  return { count: events.length, numbers: sumUp(events, field), groups: ordered };
}

/** An entity with what its events come to. */
export interface EntitySummary {
  readonly entity: Entity;
  readonly events: number;
  readonly lastTime: number | undefined;
  /** Of the events' `cost`. */
  readonly cost: NumberSummary | undefined;
}

/** Entities by type, each with what its events come to. */
export function summarizeEntities(
  filter: { readonly type?: EntityType | undefined; readonly status?: Status | undefined },
  { memory }: MemoryContext,
): readonly EntitySummary[] {
  const byEntity = new Map<number, MemoryEvent[]>();
  for (const event of memory.events()) {
    for (const id of event.entityIds) {
      const own = byEntity.get(id);
      if (own === undefined) byEntity.set(id, [event]);
      else own.push(event);
    }
  }
  return memory.entities(filter).map((entity) => {
    const events = byEntity.get(entity.id) ?? [];
    return { entity, events: events.length, lastTime: events[0]?.time, cost: sumUp(events, 'cost') };
  });
}
