import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { retireEntity } from '../../domain/entities/entities.ts';
import { toDeletionAnswer } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

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
