import { freeFormObject } from '@contextloom/contracts';
import { z } from 'zod';
import { idField, nameField } from '../domain/fields.ts';
import { createRelation } from '../domain/relations.ts';
import { defineUserTool } from './user-tool.ts';

/** Stores what two entities are to each other. */
export const createEntityRelationTool = defineUserTool({
  name: 'create_entity_relation',
  title: 'Relate two entities',
  description:
    'Stores what an entity is to another, such as owns, lives_at, works_with. The same relation again replaces its metadata.',
  kind: 'replaces',
  input: z.object({
    entity_id_1: idField('The entity that owns, lives, works.'),
    entity_id_2: idField('The other entity.'),
    relation_type: nameField('What the first is to the second, such as owns.'),
    metadata: freeFormObject('More about it.').optional(),
  }),
  output: z.object({ relation_id: z.int() }),
  run: async (given, context) => ({ relation_id: await createRelation(given, context) }),
});
