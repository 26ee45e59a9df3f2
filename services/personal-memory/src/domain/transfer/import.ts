import { createTimeSlices } from '@contextloom/runtime/scheduling';
import { toEntityAddress, toEventAddress, toFactAddress, toPastAddress, toRelationAddress } from '../addresses.ts';
import { type MemoryContext, toSearchable } from '../context.ts';
import { toEventText } from '../events/events.ts';
import type { Entity, MemoryEvent } from '../model.ts';
import { toProfileText } from '../profile/profile-keys.ts';
import type { MemoryWriter, Searchable } from '../store.ts';
import { importClaims } from './claims.ts';
import type { ParsedDocument } from './document.ts';
import { renumberSources } from './sources.ts';

/** How many records an import added, and how many were there already. */
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
  const run = createTimeSlices();
  const all = async (texts: readonly string[]): Promise<Searchable[]> => {
    const searchable: Searchable[] = [];
    for (const text of texts) searchable.push(await run(() => toSearchable(text, context)));
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
/** What an import writes to, and where it counts. */
interface Target {
  readonly writer: MemoryWriter;
  readonly count: ReturnType<typeof createCounter>['count'];
  /** Whether entities and events keep the numbers that they have in the document, as far as those are free. */
  readonly keepsIds: boolean;
  /** What was drawn from what, with the numbers of the document, of all that is new. */
  readonly sources: Map<string, readonly string[]>;
  /** When it ends, of all that is new. */
  readonly ends: Map<string, number | undefined>;
}
/** How many events are read at once. */
const PAGE = 200;

async function importProfile(
  { profile, history }: ParsedDocument,
  texts: Texts,
  { writer, count, sources, ends }: Target,
): Promise<void> {
  const before = new Map((await writer.profile()).map(({ key, updatedAt }) => [key, updatedAt]));
  for (const [at, { updated_at: updatedAt, derived_from: from = [], expires_at: end, ...entry }] of profile.entries()) {
    const known = before.get(entry.key);
    const text = texts.profile[at];
    // The latest value wins, also within one document.
    const isNew = text !== undefined && (known === undefined || known < updatedAt);
    if (isNew) {
      await writer.putProfile({ ...entry, updatedAt }, text);
      before.set(entry.key, updatedAt);
      sources.set(toFactAddress(entry.key), from);
      if (end !== undefined) ends.set(toFactAddress(entry.key), end);
    }
    count('profile', isNew);
  }
  const toKey = (version: object): string => JSON.stringify(version);
  const versions = new Set(
    (await writer.history()).map(({ key, value, change, changedAt }) => toKey({ key, value, change, changedAt })),
  );
  for (const { changed_at: changedAt, derived_from: from = [], ...version } of history) {
    const { key, value, change } = version;
    if (!versions.has(toKey({ key, value, change, changedAt }))) {
      await writer.addVersion({ ...version, changedAt });
      if (from.length > 0) sources.set(toPastAddress(key, value), from);
    }
  }
}

interface KnownOfBirth {
  readonly all: Entity[];
  readonly byKey: Map<string, Entity>;
}

function groupByBirth(entities: readonly Entity[]): ReadonlyMap<string, KnownOfBirth> {
  const groups = new Map<string, KnownOfBirth>();
  for (const entity of entities) {
    const birth = toBirth(entity);
    const group: KnownOfBirth = groups.get(birth) ?? { all: [], byKey: new Map<string, Entity>() };
    group.all.push(entity);
    if (!group.byKey.has(toEntityKey(entity))) group.byKey.set(toEntityKey(entity), entity);
    groups.set(birth, group);
  }
  return groups;
}

function countByBirth(entities: readonly NewEntity[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entity of entities) counts.set(toBirth(entity), (counts.get(toBirth(entity)) ?? 0) + 1);
  return counts;
}

/** Finds entities of a document in the memory, where their names and attributes may have changed. */
function createFindKnown(
  given: readonly NewEntity[],
  known: readonly Entity[],
): (entity: NewEntity) => Entity | undefined {
  const [ofDocument, ofMemory] = [countByBirth(given), groupByBirth(known)];
  return (entity) => {
    const same = ofMemory.get(toBirth(entity));
    const isAlone = same?.all.length === 1 && ofDocument.get(toBirth(entity)) === 1;
    // The reference program's times are of whole seconds, which different entities may share.
    if (isAlone && entity.createdAt % 1_000 !== 0) return same.all[0];
    return same?.byKey.get(toEntityKey(entity));
  };
}

/** Updates a known entity from a later state; its former name becomes an alias. */
async function updateKnown(known: Entity, entity: NewEntity, writer: MemoryWriter): Promise<void> {
  if (known.updatedAt >= entity.updatedAt) return;
  await writer.putEntity({ ...entity, id: known.id });
  if (known.name !== null) await writer.addAlias(known.id, known.name);
}

async function importEntities(
  { entities }: ParsedDocument,
  { writer, count, keepsIds, sources, ends }: Target,
): Promise<ReadonlyMap<number, number>> {
  const given = entities.map(
    ({
      entity: number,
      entity_type: type,
      created_at: createdAt,
      updated_at: updatedAt,
      derived_from: from,
      expires_at: end,
      ...own
    }) => ({
      number,
      from,
      end,
      entity: { ...own, type, createdAt, updatedAt },
    }),
  );
  const findKnown = createFindKnown(
    given.map(({ entity }) => entity),
    await writer.entities(),
  );
  const ids = new Map<number, number>();
  for (const { number, entity, from = [], end } of given) {
    const known = findKnown(entity);
    if (known !== undefined) await updateKnown(known, entity, writer);
    const id = known?.id ?? (await writer.addEntity(entity, keepsIds ? number : undefined));
    ids.set(number, id);
    if (known === undefined) sources.set(toEntityAddress(id), from);
    if (known === undefined) ends.set(toEntityAddress(id), end);
    if (known !== undefined) for (const alias of entity.aliases) await writer.addAlias(id, alias);
    count('entities', known === undefined);
  }
  return ids;
}

interface LinkedTarget extends Target {
  readonly entityIds: ReadonlyMap<number, number>;
}

async function importRelations(
  { relations }: ParsedDocument,
  { writer, count, entityIds, sources }: LinkedTarget,
): Promise<void> {
  const before = new Set((await writer.relations()).map(({ id }) => id));
  for (const { entity_1, entity_2, relation_type: type, metadata, created_at: createdAt, derived_from } of relations) {
    const [first, second] = [entityIds.get(entity_1), entityIds.get(entity_2)];
    // Two entities of the document may be one here, and an entity has no relation to itself.
    if (first === undefined || second === undefined || first === second) continue;
    const id = await writer.putRelation({ entityIds: [first, second], type, metadata, createdAt });
    if (!before.has(id)) sources.set(toRelationAddress(id), derived_from ?? []);
    count('relations', !before.has(id));
  }
}

async function importEvents(
  { events }: ParsedDocument,
  {
    writer,
    count,
    entityIds,
    texts,
    now,
    keepsIds,
    sources,
    ends,
  }: LinkedTarget & { readonly texts: Texts; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  const known = new Map<string, number>();
  for (let page = await writer.events({}, { limit: PAGE }); page.length > 0; ) {
    for (const event of page) known.set(toEventKey(event), event.id);
    page = await writer.events({ before: page.at(-1) }, { limit: PAGE });
  }
  const ids = new Map<number, number>();
  for (const [
    at,
    {
      event: number,
      event_type: type,
      entities,
      timestamp: time,
      parent,
      derived_from: from = [],
      expires_at: end,
      ...own
    },
  ] of events.entries()) {
    const text = texts.events[at];
    if (text === undefined) continue;
    const event = { ...own, type, time, entityIds: [...new Set(entities.flatMap((one) => entityIds.get(one) ?? []))] };
    const found = known.get(toEventKey(event));
    const parentId = parent === null ? null : (ids.get(parent) ?? null);
    const id = keepsIds ? number : undefined;
    const stored = found ?? (await writer.addEvent({ ...event, id, parentId }, now, text));
    ids.set(number, stored);
    if (found === undefined) sources.set(toEventAddress(stored), from);
    if (found === undefined) ends.set(toEventAddress(stored), end);
    count('events', found === undefined);
  }
  return ids;
}

/**
 * Adds a document to a user's memory, all of it or nothing, while other calls are answered. What is there
 * already is not added again, so a document may come twice; of an attribute and of an entity the later state stays. With
 * `keepsIds` what is new has the ids of the document, as far as they are free.
 */
export async function importDocument(
  document: ParsedDocument,
  context: MemoryContext,
  { keepsIds = false }: { readonly keepsIds?: boolean } = {},
): Promise<ImportReport> {
  const texts = await toTexts(document, context);
  const now = context.clock().getTime();
  return context.memory.change(async (writer) => {
    const { report, count } = createCounter();
    const sources = new Map<string, readonly string[]>();
    const ends = new Map<string, number | undefined>();
    const target = { writer, count, keepsIds, sources, ends };
    await importProfile(document, texts, target);
    const linked = { ...target, entityIds: await importEntities(document, target) };
    await importRelations(document, linked);
    const eventIds = await importEvents(document, { ...linked, texts, now });
    // Of an archive in parts, events of another part have the numbers that they had.
    const toNumber = (ids: ReadonlyMap<number, number>) => (id: number) => ids.get(id) ?? (keepsIds ? id : undefined);
    const numbers = { event: toNumber(eventIds), entity: toNumber(linked.entityIds) };
    for (const [address, from] of sources) await writer.putSources(address, renumberSources(from, numbers));
    for (const [address, end] of ends) await writer.putEnd(address, end);
    await importClaims(document, writer, linked.entityIds);
    return report;
  });
}
