import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { retireEntity } from '../../domain/entities/entities.ts';
import { idField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { deletionAnswer, toDeletionAnswer } from '../wire-schemas.ts';

/** Makes an entity inactive. */
export const deleteEntityOperation = defineOperation({
  name: 'delete_entity',
  title: 'Retire a pet, a person, a thing',
  description: 'Makes an entity inactive. Its events stay; update_entity with status "active" brings it back.',
  effect: 'deletes',
  scope: 'user',
  input: z.object({ entity_id: idField('The entity.'), user_id: userIdSchema }),
  output: deletionAnswer,
  example: {
    input: { user_id: 'ann', entity_id: 1 },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, entity_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => toDeletionAnswer(await retireEntity(entity_id, context))),
});
