import { type MemoryContext, toSearchable } from '../context.ts';
import { toEventText } from '../event-text.ts';
import type { Entity, MemoryEvent } from '../model.ts';
import { toProfileText } from '../profile.ts';
import type { MemoryWriter, Searchable } from '../store.ts';
import type { ParsedDocument } from './document.ts';

/** How much a document brought, and how much of it was there. */
export interface ImportReport {
  readonly imported: Readonly<Record<Part, number>>;
  readonly known: Readonly<Record<Part, number>>;
}
type Part = 'profile' | 'entities' | 'relations' | 'events';

interface Texts {
  readonly profile: readonly Searchable[];
  readonly events: readonly Searchable[];
}

async function toTexts({ profile, events }: ParsedDocument, context: MemoryContext): Promise<Texts> {
  const all = async (texts: readonly string[]): Promise<Searchable[]> => {
    const searchable: Searchable[] = [];
    for (const text of texts) searchable.push(await toSearchable(text, context));
    return searchable;
  };
  return { profile: await all(profile.map(toProfileText)), events: await all(events.map(toEventText)) };
}

type NewEntity = Omit<Entity, 'id'>;
const toBirth = ({ type, createdAt }: Pick<Entity, 'type' | 'createdAt'>): string => `${type} ${createdAt}`;
const toEntityKey = ({ name, attributes }: NewEntity): string => JSON.stringify(name ?? attributes);
const toEventKey = (event: Omit<MemoryEvent, 'id' | 'parentId' | 'importance' | 'tags'>) =>
  JSON.stringify([event.type, event.description, event.time, event.entityIds, event.metadata]);

function createCounter() {
  const zero = () => ({ profile: 0, entities: 0, relations: 0, events: 0 });
  const report = { imported: zero(), known: zero() };
  const count = (part: Part, isNew: boolean): void => {
    report[isNew ? 'imported' : 'known'][part] += 1;
  };
  return { report, count };
}
type Count = ReturnType<typeof createCounter>['count'];

function importProfile({ profile, history }: ParsedDocument, texts: Texts, writer: MemoryWriter, count: Count): void {
  const before = new Map(writer.profile().map((entry) => [entry.key, entry]));
  profile.forEach(({ updated_at: updatedAt, ...entry }, at) => {
    const own = before.get(entry.key);
    const text = texts.profile[at];
    // What was said last counts, wherever it was said.
    const isNew = text !== undefined && (own === undefined || own.updatedAt < updatedAt);
    if (isNew) writer.putProfile({ ...entry, updatedAt }, text);
    count('profile', isNew);
  });
  const toKey = (version: object): string => JSON.stringify(version);
  const versions = new Set(
    writer.history().map(({ key, value, change, changedAt }) => toKey({ key, value, change, changedAt })),
  );
  for (const { changed_at: changedAt, ...version } of history) {
    const { key, value, change } = version;
    if (!versions.has(toKey({ key, value, change, changedAt }))) writer.addVersion({ ...version, changedAt });
  }
}

function groupByBirth<T extends Pick<Entity, 'type' | 'createdAt'>>(entities: readonly T[]): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entity of entities) {
    const key = toBirth(entity);
    groups.set(key, [...(groups.get(key) ?? []), entity]);
  }
  return groups;
}

/** Builds what finds an entity of a document in the memory, where it may have another name and other attributes by now. */
function createFindKnown(
  given: readonly NewEntity[],
  known: readonly Entity[],
): (entity: NewEntity) => Entity | undefined {
  const [ofDocument, ofMemory] = [groupByBirth(given), groupByBirth(known)];
  return (entity) => {
    const same = ofMemory.get(toBirth(entity)) ?? [];
    const isAlone = same.length === 1 && ofDocument.get(toBirth(entity))?.length === 1;
    // The reference program's times are of whole seconds, which different entities may share.
    if (isAlone && entity.createdAt % 1_000 !== 0) return same[0];
    return same.find((one) => toEntityKey(one) === toEntityKey(entity));
  };
}

function importEntities({ entities }: ParsedDocument, writer: MemoryWriter, count: Count): ReadonlyMap<number, number> {
  const given = entities.map(
    ({ entity: number, entity_type: type, created_at: createdAt, updated_at: updatedAt, ...own }) => ({
      number,
      entity: { ...own, type, createdAt, updatedAt },
    }),
  );
  const findKnown = createFindKnown(
    given.map(({ entity }) => entity),
    writer.entities(),
  );
  const ids = new Map<number, number>();
  for (const { number, entity } of given) {
    const known = findKnown(entity);
    if (known !== undefined && known.updatedAt < entity.updatedAt) writer.putEntity({ ...entity, id: known.id });
    const id = known?.id ?? writer.addEntity(entity);
    ids.set(number, id);
    for (const alias of entity.aliases) writer.addAlias(id, alias);
    count('entities', known === undefined);
  }
  return ids;
}

interface ImportStep {
  readonly writer: MemoryWriter;
  readonly count: Count;
  readonly entityIds: ReadonlyMap<number, number>;
}

function importRelations({ relations }: ParsedDocument, { writer, count, entityIds }: ImportStep): void {
  const before = new Set(writer.relations().map(({ id }) => id));
  for (const { entity_1, entity_2, relation_type: type, metadata, created_at: createdAt } of relations) {
    const [first, second] = [entityIds.get(entity_1), entityIds.get(entity_2)];
    if (first === undefined || second === undefined) continue; // Refused before.
    count('relations', !before.has(writer.putRelation({ entityIds: [first, second], type, metadata, createdAt })));
  }
}

function importEvents(
  { events }: ParsedDocument,
  { writer, count, entityIds, texts, now }: ImportStep & { readonly texts: Texts; readonly now: number },
): void {
  const known = new Map(writer.events().map((event) => [toEventKey(event), event.id]));
  const ids = new Map<number, number>();
  events.forEach(({ event: number, event_type: type, entities, timestamp: time, parent, ...own }, at) => {
    const text = texts.events[at];
    if (text === undefined) return;
    const event = { ...own, type, time, entityIds: entities.flatMap((one) => entityIds.get(one) ?? []) };
    const found = known.get(toEventKey(event));
    const parentId = parent === null ? null : (ids.get(parent) ?? null);
    ids.set(number, found ?? writer.addEvent({ ...event, parentId }, now, text));
    count('events', found === undefined);
  });
}

/**
 * Adds a document to a user's memory, all of it or nothing. What is there already is not added again, so a document may come
 * twice; of an attribute and of an entity the later state stays.
 */
export async function importDocument(document: ParsedDocument, context: MemoryContext): Promise<ImportReport> {
  const texts = await toTexts(document, context);
  const now = context.now().getTime();
  return context.memory.change((writer) => {
    const { report, count } = createCounter();
    importProfile(document, texts, writer, count);
    const step = { writer, count, entityIds: importEntities(document, writer, count) };
    importRelations(document, step);
    importEvents(document, { ...step, texts, now });
    return report;
  });
}
