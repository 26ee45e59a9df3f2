import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { createRelation } from '../../domain/entities/relations.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

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
