import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { requireEntity } from '../domain/entities/entities.ts';
import { createRelation, deleteRelation } from '../domain/entities/relations.ts';
import { CHANGED_TAG } from '../domain/model.ts';
import { toIso } from '../domain/times.ts';
import { toDeletionAnswer, toListText } from './answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from './deps.ts';

/** Stores a relation of two entities. */
export const createEntityRelationOperation = defineOperation({
  name: 'create_entity_relation',
  title: 'Relate two entities',
  description:
    'Stores what an entity is to another, such as owns, lives_at, works_with. The same relation again replaces its metadata.',
  effect: 'replaces',
  scope: 'user',
  ...contract.create_entity_relation,
  example: {
    input: { user_id: 'ann', entity_id_1: 3, entity_id_2: 1, relation_type: 'owns' },
    output: { relation_id: 1 },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({ relation_id: await createRelation(given, context) })),
});

/** Lists the relations of an entity. */
export const queryEntityRelationsOperation = defineOperation({
  name: 'query_entity_relations',
  title: 'List relations of an entity',
  description: 'Lists what an entity is to others and they to it, or all relations.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_entity_relations,
  example: {
    input: { user_id: 'ann', entity_id: 1 },
    output: {
      relations: [
        {
          id: 1,
          entity_id_1: 3,
          entity_id_2: 1,
          relation_type: 'owns',
          metadata: {},
          created_at: '2026-03-02T09:30:00.000Z',
        },
      ],
    },
  },
  toText: ({ relations }) => toListText(relations),
  run: ({ user_id, entity_id, relation_type, limit }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async ({ memory }) => {
      if (entity_id !== undefined) await requireEntity(entity_id, memory);
      return {
        relations: (await memory.relations(entity_id, relation_type))
          .filter(({ metadata }) => !(CHANGED_TAG in metadata))
          .slice(0, limit)
          .map(({ id, entityIds, type, metadata, createdAt }) => ({
            id,
            entity_id_1: entityIds[0],
            entity_id_2: entityIds[1],
            relation_type: type,
            metadata,
            created_at: toIso(createdAt),
          })),
      };
    }),
});

/** Deletes a relation. */
export const deleteEntityRelationOperation = defineOperation({
  name: 'delete_entity_relation',
  title: 'Forget a relation',
  description: 'Deletes what an entity is to another; both entities stay.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_entity_relation,
  example: {
    input: { user_id: 'ann', relation_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, relation_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { isDeleted, consequences } = await deleteRelation(relation_id, context);
      return toDeletionAnswer(isDeleted, consequences);
    }),
});
