import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import { toComparableText } from '@contextloom/retrieval';
import { mapInSlices } from '@contextloom/retrieval/scheduling';
import type { MemoryContext } from '../context.ts';
import type { Entity, EntityType, Status } from '../model.ts';
import type { MemoryReader } from '../store.ts';

/** A thing to remember. */
export interface NewEntity {
  readonly entity_type: EntityType;
  readonly name?: string | undefined;
  readonly attributes?: JsonObject | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** What is to be different about an entity. */
export interface EntityUpdate {
  readonly entity_id: number;
  readonly name?: string | undefined;
  /** Merged key by key; null removes a key. */
  readonly attributes?: JsonObject | undefined;
  readonly status?: Status | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** What became of a new entity. */
export interface CreatedEntity {
  readonly id: number;
  /** Others of its type that are called the same: it may be one of them. */
  readonly namesakes: readonly Entity[];
}

/** Entities of a type that are called so, and the newest of those that were looked at. */
interface Namesakes {
  readonly ids: readonly number[];
  readonly newest: number;
}

/** Looks through all names, in slices: there may be a hundred thousand. */
async function findNamesakes(isName: (name: string) => boolean, reader: MemoryReader): Promise<Namesakes> {
  const names = reader.names();
  const same = await mapInSlices(names, ({ entityId, name }) => (isName(name) ? [entityId] : []));
  return { ids: [...new Set(same.flat())], newest: names.reduce((most, { entityId }) => Math.max(most, entityId), 0) };
}

/** Stores a new entity, and tells which others of its type are called the same. */
export async function createEntity(given: NewEntity, { memory, now }: MemoryContext): Promise<CreatedEntity> {
  const { entity_type: type, name } = given;
  const time = now().getTime();
  const wanted = toComparableText(name ?? '');
  const isName = (one: string): boolean => name !== undefined && toComparableText(one) === wanted;
  const found = await findNamesakes(isName, memory);
  return memory.change((writer) => {
    // Two calls at once may store the same: what came since the look is looked at here.
    const later = writer.entities({ type, after: found.newest }).filter((one) => isName(one.name ?? ''));
    const earlier = found.ids.flatMap((id) => writer.entity(id) ?? []).filter((one) => one.type === type);
    const id = writer.addEntity({
      type,
      name: name ?? null,
      aliases: [],
      attributes: mergeAttributes({}, given.attributes ?? {}),
      tags: given.tags ?? [],
      status: 'active',
      createdAt: time,
      updatedAt: time,
    });
    return { id, namesakes: [...earlier, ...later] };
  });
}

/** `Object.fromEntries` keeps a key such as `__proto__` that spreading into a literal keeps as well, and assigning loses. */
function mergeAttributes(before: JsonObject, update: JsonObject): JsonObject {
  const merged = new Map([...Object.entries(before), ...Object.entries(update)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}

/** Changes an entity, which keeps its former name as another one; `false` when there is none with that id. */
export function updateEntity(update: EntityUpdate, { memory, now }: MemoryContext): Promise<boolean> {
  return memory.change((writer) => {
    const entity = writer.entity(update.entity_id);
    if (entity === undefined) return false;
    writer.putEntity({
      ...entity,
      name: update.name ?? entity.name,
      attributes: mergeAttributes(entity.attributes, update.attributes ?? {}),
      status: update.status ?? entity.status,
      tags: update.tags ?? entity.tags,
      updatedAt: now().getTime(),
    });
    // Who was called so for years is asked for by that name for years.
    if (entity.name !== null && update.name !== undefined) writer.addAlias(entity.id, entity.name);
    return true;
  });
}

/** Takes an entity out of the active ones; its events stay. `false` when there is no active one with that id. */
export function retireEntity(id: number, { memory, now }: MemoryContext): Promise<boolean> {
  return memory.change((writer) => {
    const entity = writer.entity(id);
    if (entity === undefined || entity.status === 'inactive') return false;
    writer.putEntity({ ...entity, status: 'inactive', updatedAt: now().getTime() });
    return true;
  });
}

/**
 * Reads an entity that has to be there.
 * @throws ContextloomError `not_found`
 */
export function requireEntity(id: number, reader: MemoryReader, field = 'entity_id'): Entity {
  const entity = reader.entity(id);
  if (entity !== undefined) return entity;
  throw new ContextloomError('not_found', `${field} ${id} is not known; list_entities shows the ids there are`, {
    field,
  });
}

/** Gives an entity another name; `false` when it had it. @throws ContextloomError `not_found` */
export function addAlias(
  { entityId, alias }: { readonly entityId: number; readonly alias: string },
  { memory }: MemoryContext,
): Promise<boolean> {
  return memory.change((writer) => {
    const entity = requireEntity(entityId, writer);
    if (entity.name === alias || entity.aliases.includes(alias)) return false;
    writer.addAlias(entityId, alias);
    return true;
  });
}

/** Two entities that are one. */
export interface EntityMerge {
  readonly entity_id: number;
  readonly duplicate_id: number;
}

/**
 * Makes a duplicate part of another entity: its events, relations, names, attributes and tags. Where both have an attribute,
 * that of the entity stays.
 * @throws ContextloomError `not_found`, or `invalid` for two types or for one and itself
 */
export function mergeEntities(
  { entity_id: id, duplicate_id: duplicateId }: EntityMerge,
  { memory, now }: MemoryContext,
): Promise<Entity> {
  const refuse = (message: string) => new ContextloomError('invalid', message, { field: 'duplicate_id' });
  if (id === duplicateId) throw refuse('duplicate_id must be another entity than entity_id');
  return memory.change((writer) => {
    const kept = requireEntity(id, writer);
    const duplicate = requireEntity(duplicateId, writer, 'duplicate_id');
    if (kept.type !== duplicate.type) throw refuse(`duplicate_id must be a ${kept.type}, as entity_id is`);
    writer.putEntity({
      ...kept,
      name: kept.name ?? duplicate.name,
      attributes: mergeAttributes(duplicate.attributes, kept.attributes),
      tags: [...new Set([...kept.tags, ...duplicate.tags])],
      status: [kept.status, duplicate.status].includes('active') ? 'active' : 'inactive',
      createdAt: Math.min(kept.createdAt, duplicate.createdAt),
      updatedAt: now().getTime(),
    });
    for (const alias of [duplicate.name ?? '', ...duplicate.aliases]) {
      if (alias !== '') writer.addAlias(id, alias);
    }
    writer.absorbEntity(duplicateId, id);
    return requireEntity(id, writer);
  });
}
