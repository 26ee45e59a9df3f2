import { freeFormObject, userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { createRelation } from '../../domain/entities/relations.ts';
import { idField, nameField } from '../../domain/fields.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Stores a relation of two entities. */
export const createEntityRelationOperation = defineOperation({
  name: 'create_entity_relation',
  title: 'Relate two entities',
  description:
    'Stores what an entity is to another, such as owns, lives_at, works_with. The same relation again replaces its metadata.',
  effect: 'replaces',
  scope: 'user',
  input: z.object({
    entity_id_1: idField('The entity that owns, lives, works.'),
    entity_id_2: idField('The other entity.'),
    relation_type: nameField('What the first is to the second, such as owns.'),
    metadata: freeFormObject('More about it.').optional(),
    user_id: userIdSchema,
  }),
  output: z.object({ relation_id: z.int() }),
  example: {
    input: { user_id: 'ann', entity_id_1: 3, entity_id_2: 1, relation_type: 'owns' },
    output: { relation_id: 1 },
  },
  run: ({ user_id, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({ relation_id: await createRelation(given, context) })),
});
