import type { MemoryDocument } from './document.ts';

/** Events a record: their texts are some hundred kilobytes. */
const EVENTS = 500;

/** The events with these numbers, and those that they are parts of. */
function withParents(
  events: MemoryDocument['events'],
  byNumber: ReadonlyMap<number, MemoryDocument['events'][number]>,
): MemoryDocument['events'] {
  const all = new Map(events.map((event) => [event.event, event]));
  for (const { parent = null } of events) {
    for (let number = parent; number !== null && !all.has(number); ) {
      const event = byNumber.get(number);
      if (event === undefined) break;
      all.set(number, event);
      number = event.parent ?? null;
    }
  }
  return [...all.values()].sort((a, b) => a.event - b.event);
}

/**
 * Cuts a document into documents that can be imported one after the other: all but the events first, then the events with the
 * entities and the earlier events that they name, which are there by then and are not added again.
 */
export function* cutDocument(document: MemoryDocument): Generator<MemoryDocument> {
  yield { ...document, events: [] };
  const entities = new Map(document.entities.map((entity) => [entity.entity, entity]));
  const byNumber = new Map(document.events.map((event) => [event.event, event]));
  for (let from = 0; from < document.events.length; from += EVENTS) {
    const events = withParents(document.events.slice(from, from + EVENTS), byNumber);
    const named = new Set(events.flatMap(({ entities: numbers = [] }) => numbers));
    yield {
      format: document.format,
      version: document.version,
      profile: [],
      history: [],
      relations: [],
      events,
      claims: [],
      entities: [...named].sort((a, b) => a - b).flatMap((number) => entities.get(number) ?? []),
    };
  }
}
