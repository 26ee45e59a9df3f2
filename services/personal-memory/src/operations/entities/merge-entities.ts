import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { mergeEntities } from '../../domain/entities/entities.ts';
import { idField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { entityAnswer, exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Merges a duplicate into an entity. */
export const mergeEntitiesOperation = defineOperation({
  name: 'merge_entities',
  title: 'Join two entries for the same pet, person, thing',
  description:
    'Joins a duplicate with the entity that it is: events, relations, names, attributes and tags of the duplicate become those of the entity, and the duplicate goes. Its names keep finding the entity.',
  effect: 'replaces',
  scope: 'user',
  input: z.object({
    entity_id: idField('The entity that stays; of an attribute that both have, its value stays.'),
    duplicate_id: idField('The one that becomes part of it.'),
    user_id: userIdSchema,
  }),
  output: z.object({ merged: z.boolean(), entity: entityAnswer }),
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
