import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { mergeEntities } from '../../domain/entities/entities.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Merges a duplicate into an entity. */
export const mergeEntitiesOperation = defineOperation({
  name: 'merge_entities',
  title: 'Join two entries for the same pet, person, thing',
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
