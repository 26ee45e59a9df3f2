import { ContextloomError } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEntity, toEntityAnswer } from './entity-answer.ts';

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
    withMemoryOf(user_id, call, ({ memory }) => {
      const entity = memory.entity(entity_id);
      if (entity !== undefined) return { entity: toEntityAnswer(entity) };
      const message = `entity_id ${entity_id} is not known; list_entities shows the ids there are`;
      throw new ContextloomError('not_found', message, { field: 'entity_id' });
    }),
});
