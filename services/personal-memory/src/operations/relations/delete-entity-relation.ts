import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { deleteRelation } from '../../domain/entities/relations.ts';
import { idField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { deletionAnswer, toDeletionAnswer } from '../wire-schemas.ts';

/** Deletes a relation. */
export const deleteEntityRelationOperation = defineOperation({
  name: 'delete_entity_relation',
  title: 'Forget a relation',
  description: 'Deletes what an entity is to another; both entities stay.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({ relation_id: idField('The relation.'), user_id: userIdSchema }),
  output: deletionAnswer,
  example: {
    input: { user_id: 'ann', relation_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, relation_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => toDeletionAnswer(await deleteRelation(relation_id, context))),
});
