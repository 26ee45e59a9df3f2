import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { MemoryContext } from './context.ts';
import type { Entity, EntityType, Status } from './model.ts';
import type { MemoryReader } from './store.ts';

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

/** Stores a new entity and answers with its id. */
export function createEntity(given: NewEntity, { memory, now }: MemoryContext): Promise<number> {
  const time = now().getTime();
  return memory.change((writer) =>
    writer.addEntity({
      type: given.entity_type,
      name: given.name ?? null,
      aliases: [],
      attributes: mergeAttributes({}, given.attributes ?? {}),
      tags: given.tags ?? [],
      status: 'active',
      createdAt: time,
      updatedAt: time,
    }),
  );
}

/** `Object.fromEntries` keeps a key such as `__proto__` that spreading into a literal keeps as well, and assigning loses. */
function mergeAttributes(before: JsonObject, update: JsonObject): JsonObject {
  const merged = new Map([...Object.entries(before), ...Object.entries(update)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}

/** Changes an entity; `false` when there is none with that id. */
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
