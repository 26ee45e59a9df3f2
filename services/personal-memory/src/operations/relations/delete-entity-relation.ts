import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { deleteRelation } from '../../domain/entities/relations.ts';
import { toDeletionAnswer } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

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
    withMemoryOf(user_id, call, async (context) => toDeletionAnswer(await deleteRelation(relation_id, context))),
});
