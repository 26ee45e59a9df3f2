import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { EntityType, Status } from '@contextloom/contracts/personal-memory';
import { toComparableText } from '@contextloom/retrieval';
import { mapInSlices } from '@contextloom/runtime/scheduling';
import { toEntityAddress } from '../addresses.ts';
import type { MemoryContext } from '../context.ts';
import { mergeObject } from '../merge-object.ts';
import type { Entity } from '../model.ts';
import { requireWordOfPeople } from '../sources/trust.ts';
import type { MemoryReader, MemoryWriter } from '../store.ts';

/** An entity to store. */
export interface NewEntity {
  readonly entity_type: EntityType;
  readonly name?: string | undefined;
  readonly attributes?: JsonObject | undefined;
  readonly tags?: readonly string[] | undefined;
  /** What it was drawn from. */
  readonly derived_from?: readonly string[] | undefined;
  /** When it is forgotten. */
  readonly expires_at?: string | undefined;
}

/** A change of an entity. */
export interface EntityUpdate {
  readonly entity_id: number;
  readonly name?: string | undefined;
  /** Merged key by key; null removes a key. */
  readonly attributes?: JsonObject | undefined;
  readonly status?: Status | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The outcome of creating an entity. */
export interface CreatedEntity {
  readonly id: number;
  /** Entities of its type with the same name: it may be one of them. */
  readonly namesakes: readonly Entity[];
}

/** Entities with a name, and the newest id that the search saw. */
interface Namesakes {
  readonly ids: readonly number[];
  readonly newest: number;
}

/** Searches all names in time slices: there may be a hundred thousand. */
async function findNamesakes(isName: (name: string) => boolean, reader: MemoryReader): Promise<Namesakes> {
  const names = await reader.names();
  const same = await mapInSlices(names, ({ entityId, name }) => (isName(name) ? [entityId] : []));
  return { ids: [...new Set(same.flat())], newest: names.reduce((most, { entityId }) => Math.max(most, entityId), 0) };
}

/** Stores an entity, and finds others of its type with the same name. */
export async function createEntity(given: NewEntity, { memory, clock, toEnd }: MemoryContext): Promise<CreatedEntity> {
  const { entity_type: type, name } = given;
  const time = clock().getTime();
  const wanted = toComparableText(name ?? '');
  const isName = (one: string): boolean => name !== undefined && toComparableText(one) === wanted;
  const found = await findNamesakes(isName, memory);
  return memory.change(async (writer) => {
    await requireWordOfPeople(given, writer);
    // Two calls at once may store the same name: check what was stored since the search.
    const later = (await writer.entities({ type, after: found.newest })).filter((one) => isName(one.name ?? ''));
    const earlier: Entity[] = [];
    for (const one of found.ids) {
      const entity = await writer.entity(one);
      if (entity?.type === type) earlier.push(entity);
    }
    const id = await writer.addEntity({
      type,
      name: name ?? null,
      aliases: [],
      attributes: mergeObject({}, given.attributes ?? {}),
      tags: given.tags ?? [],
      status: 'active',
      createdAt: time,
      updatedAt: time,
    });
    if (given.derived_from !== undefined) await writer.putSources(toEntityAddress(id), given.derived_from);
    await writer.putEnd(
      toEntityAddress(id),
      toEnd?.({ expires_at: given.expires_at, kinds: ['entity', type, ...(given.tags ?? [])] }),
    );
    return { id, namesakes: [...earlier, ...later] };
  });
}

/** Changes an entity, which keeps its former name as an alias; `false` for an unknown id. */
export function updateEntity(update: EntityUpdate, { memory, clock }: MemoryContext): Promise<boolean> {
  return memory.change(async (writer) => {
    const entity = await writer.entity(update.entity_id);
    if (entity === undefined) return false;
    await writer.putEntity({
      ...entity,
      name: update.name ?? entity.name,
      attributes: mergeObject(entity.attributes, update.attributes ?? {}),
      status: update.status ?? entity.status,
      tags: update.tags ?? entity.tags,
      updatedAt: clock().getTime(),
    });
    // What a caller says of it stands by itself.
    if (update.name !== undefined || update.attributes !== undefined)
      await writer.putSources(toEntityAddress(entity.id), []);
    // People go on using a former name.
    if (entity.name !== null && update.name !== undefined) await writer.addAlias(entity.id, entity.name);
    return true;
  });
}

/** Makes an entity inactive; its events stay. `false` unless it was active. */
export function retireEntity(id: number, { memory, clock }: MemoryContext): Promise<boolean> {
  return memory.change(async (writer) => {
    const entity = await writer.entity(id);
    if (entity === undefined || entity.status === 'inactive') return false;
    await writer.putEntity({ ...entity, status: 'inactive', updatedAt: clock().getTime() });
    return true;
  });
}

/**
 * Reads an entity that must exist.
 * @throws ContextloomError `not_found`
 */
export async function requireEntity(id: number, reader: MemoryReader, field = 'entity_id'): Promise<Entity> {
  const entity = await reader.entity(id);
  if (entity !== undefined) return entity;
  throw new ContextloomError('not_found', `${field} ${id} is not known; list_entities shows the ids there are`, {
    field,
  });
}

/** Adds an alias to an entity; `false` when it has that name already. @throws ContextloomError `not_found` */
export function addAlias(
  { entityId, alias }: { readonly entityId: number; readonly alias: string },
  { memory }: MemoryContext,
): Promise<boolean> {
  return memory.change(async (writer) => {
    const entity = await requireEntity(entityId, writer);
    if (entity.name === alias || entity.aliases.includes(alias)) return false;
    await writer.addAlias(entityId, alias);
    return true;
  });
}

/** One of two rests on what both were drawn from; where one of them stands by itself, so does it. */
async function mergeSources(from: number, into: number, writer: MemoryWriter): Promise<void> {
  const [old, kept] = [toEntityAddress(from), toEntityAddress(into)];
  const [ofOld, ofKept] = [await writer.sourcesOf(old), await writer.sourcesOf(kept)];
  await writer.putSources(kept, ofOld.length > 0 && ofKept.length > 0 ? [...new Set([...ofOld, ...ofKept])] : []);
  await writer.putSources(old, []);
  for (const drawn of await writer.drawnFrom(old)) {
    const sources = (await writer.sourcesOf(drawn)).map((source) => (source === old ? kept : source));
    await writer.putSources(drawn, [...new Set(sources)]);
  }
}

/** Both are forgotten with the one that is last; never, where one of them is not. */
async function mergeEnds(from: number, into: number, writer: MemoryWriter): Promise<void> {
  const [old, kept] = [toEntityAddress(from), toEntityAddress(into)];
  const [ofOld, ofKept] = [await writer.endOf(old), await writer.endOf(kept)];
  await writer.putEnd(kept, ofOld === undefined || ofKept === undefined ? undefined : Math.max(ofOld, ofKept));
  await writer.putEnd(old, undefined);
}

/** Two entries for the same entity. */
export interface EntityMerge {
  readonly entity_id: number;
  readonly duplicate_id: number;
}

/**
 * Makes a duplicate part of another entity: its events, relations, names, attributes and tags. Where both have an attribute,
 * that of the entity stays.
 * @throws ContextloomError `not_found`, or `invalid` for different types, or an entity and itself
 */
export function mergeEntities(
  { entity_id: id, duplicate_id: duplicateId }: EntityMerge,
  { memory, clock }: MemoryContext,
): Promise<Entity> {
  const refuse = (message: string) => new ContextloomError('invalid', message, { field: 'duplicate_id' });
  if (id === duplicateId) throw refuse('duplicate_id must be another entity than entity_id');
  return memory.change(async (writer) => {
    const kept = await requireEntity(id, writer);
    const duplicate = await requireEntity(duplicateId, writer, 'duplicate_id');
    if (kept.type !== duplicate.type) throw refuse(`duplicate_id must be a ${kept.type}, as entity_id is`);
    await writer.putEntity({
      ...kept,
      name: kept.name ?? duplicate.name,
      attributes: mergeObject(duplicate.attributes, kept.attributes),
      tags: [...new Set([...kept.tags, ...duplicate.tags])],
      status: [kept.status, duplicate.status].includes('active') ? 'active' : 'inactive',
      createdAt: Math.min(kept.createdAt, duplicate.createdAt),
      updatedAt: clock().getTime(),
    });
    for (const alias of [duplicate.name ?? '', ...duplicate.aliases]) {
      if (alias !== '') await writer.addAlias(id, alias);
    }
    await mergeSources(duplicateId, id, writer);
    await mergeEnds(duplicateId, id, writer);
    await writer.absorbEntity(duplicateId, id);
    return requireEntity(id, writer);
  });
}
