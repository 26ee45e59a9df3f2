import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { updateEntity } from '../../domain/entities/entities.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

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
