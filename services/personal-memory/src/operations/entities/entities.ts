import { ContextloomError } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { addAlias, createEntity, mergeEntities, retireEntity, updateEntity } from '../../domain/entities/entities.ts';
import type { Entity } from '../../domain/model.ts';
import { type PageRequest, readListed } from '../../domain/pages.ts';
import { type Fit, searchEntities } from '../../domain/search/search.ts';
import { toIso, toTimeRange } from '../../domain/times.ts';
import { toDeletionAnswer, toFit, toListText, toPageFields } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Writes an entity. */
function toEntityAnswer(entity: Entity, fit: Fit = {}) {
  const { id, type, name, aliases, attributes, createdAt, updatedAt, status, tags: own } = entity;
  const times = { created_at: toIso(createdAt), updated_at: toIso(updatedAt) };
  return {
    id,
    entity_type: type,
    name,
    aliases: [...aliases],
    attributes,
    ...times,
    status,
    tags: [...own],
    ...toFit(fit),
  };
}

/** An entity in the examples of answers. */
const exampleEntity = {
  id: 1,
  entity_type: 'pet' as const,
  name: 'Biscuit',
  aliases: ['Bix'],
  attributes: { breed: 'golden retriever', age: 3 },
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
  status: 'active' as const,
  tags: ['dog'],
};

/** The most possible duplicates in an answer. */
const MAX_SHOWN = 10;

/** Stores an entity. */
export const createEntityOperation = defineOperation({
  name: 'create_entity',
  title: 'Remember a pet, a person, a thing',
  description:
    'Stores a thing with a life of its own, which events can be about: a pet, a property, a vehicle, a person. Look first with resolve_entity whether it is there: where the answer names possible_duplicates, ask the user, and join them with merge_entities.',
  effect: 'adds',
  scope: 'user',
  ...contract.create_entity,
  example: {
    input: { user_id: 'ann', entity_type: 'pet', name: 'Biscuit', attributes: { breed: 'golden retriever' } },
    output: { entity_id: 1 },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { id, namesakes } = await createEntity(given, context);
      if (namesakes.length === 0) return { entity_id: id };
      const others = namesakes
        .slice(0, MAX_SHOWN)
        .map(({ id: other, name, status }) => ({ entity_id: other, name, status }));
      return { entity_id: id, possible_duplicates: others };
    }),
});

/** Changes an entity. */
export const updateEntityOperation = defineOperation({
  name: 'update_entity',
  title: 'Change a pet, a person, a thing',
  description:
    'Changes name, attributes, status or tags of an entity. Attributes are merged key by key; null removes a key.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_entity,
  example: {
    input: { user_id: 'ann', entity_id: 1, attributes: { age: 4 } },
    output: { updated: true, changes: 1 },
  },
  run: ({ user_id, ...update }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { entity_id, ...changes } = update;
      if (Object.values(changes).every((value) => value === undefined)) {
        return { updated: false, message: 'nothing to change: give name, attributes, status or tags' };
      }
      if (await updateEntity(update, context)) return { updated: true, changes: 1 };
      return { updated: false, message: `entity_id ${entity_id} is not known; list_entities shows the ids there are` };
    }),
});

/** Reads an entity by its id. */
export const getEntityOperation = defineOperation({
  name: 'get_entity',
  title: 'Get a pet, person or thing',
  description: 'Reads one entity by its id, also one that is not active any more.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_entity,
  example: { input: { user_id: 'ann', entity_id: 1 }, output: { entity: exampleEntity } },
  run: ({ user_id, entity_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async ({ memory }) => {
      const entity = await memory.entity(entity_id);
      if (entity !== undefined) return { entity: toEntityAnswer(entity) };
      const message = `entity_id ${entity_id} is not known; list_entities shows the ids there are`;
      throw new ContextloomError('not_found', message, { field: 'entity_id' });
    }),
});

/** Lists entities. */
export const listEntitiesOperation = defineOperation({
  name: 'list_entities',
  title: 'List pets, people, things',
  description:
    'Lists the entities of the user, oldest first or last changed first: the active ones, or by type and status.',
  effect: 'reads',
  scope: 'user',
  ...contract.list_entities,
  example: {
    input: { user_id: 'ann', entity_type: 'pet' },
    output: { entities: [exampleEntity] },
  },
  toText: ({ entities }) => toListText(entities),
  run: ({ user_id, entity_type: type, time_range, limit, offset, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const filter = { ...given, type, range: toTimeRange(time_range, context) };
      const read = (page: PageRequest) => context.memory.entities(filter, page);
      const listed = await readListed(read, () => context.memory.countEntities(filter), { limit, offset });
      return { entities: listed.items.map((entity) => toEntityAnswer(entity)), ...toPageFields(listed) };
    }),
});

/** Searches entities. */
export const searchEntitiesOperation = defineOperation({
  name: 'search_entities_by_keywords',
  title: 'Find pets, people, things',
  description: 'Finds entities by words in their names, attributes and tags, best first.',
  effect: 'reads',
  scope: 'user',
  ...contract.search_entities_by_keywords,
  example: {
    input: { user_id: 'ann', keywords: ['retriever'] },
    output: { entities: [{ ...exampleEntity, relevance_score: 1, matched_keywords: ['retriever'] }] },
  },
  toText: ({ entities }) => toListText(entities),
  run: ({ user_id, ...search }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      entities: (await searchEntities(search, context)).map(({ item, ...fit }) => toEntityAnswer(item, fit)),
    })),
});

/** Adds an alias to an entity. */
export const addEntityAliasOperation = defineOperation({
  name: 'add_entity_alias',
  title: 'Add another name',
  description: 'Remembers another name by which the user calls an entity, so that resolve_entity finds it.',
  effect: 'replaces',
  scope: 'user',
  ...contract.add_entity_alias,
  example: {
    input: { user_id: 'ann', entity_id: 1, alias: 'Bix' },
    output: { added: true },
  },
  run: ({ user_id, entity_id, alias }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      added: await addAlias({ entityId: entity_id, alias }, context),
    })),
});

/** Merges a duplicate into an entity. */
export const mergeEntitiesOperation = defineOperation({
  name: 'merge_entities',
  title: 'Merge two pets, people or things',
  description:
    'Joins a duplicate with the entity that it is: events, relations, names, attributes and tags of the duplicate become those of the entity, and the duplicate goes. Its names keep finding the entity.',
  effect: 'replaces',
  scope: 'user',
  ...contract.merge_entities,
  example: {
    input: { user_id: 'ann', entity_id: 1, duplicate_id: 2 },
    output: { merged: true, entity: exampleEntity },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      merged: true,
      entity: toEntityAnswer(await mergeEntities(given, context)),
    })),
});

/** Makes an entity inactive. */
export const deleteEntityOperation = defineOperation({
  name: 'delete_entity',
  title: 'Retire a pet, a person, a thing',
  description: 'Makes an entity inactive. Its events stay; update_entity with status "active" brings it back.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_entity,
  example: {
    input: { user_id: 'ann', entity_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, entity_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => toDeletionAnswer(await retireEntity(entity_id, context))),
});
