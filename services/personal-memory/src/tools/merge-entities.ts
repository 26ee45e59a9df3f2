import { z } from 'zod';
import { mergeEntities } from '../domain/entities.ts';
import { idField } from '../domain/fields.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Joins two entities that are one. */
export const mergeEntitiesTool = defineUserTool({
  name: 'merge_entities',
  title: 'Join two entries for the same pet, person, thing',
  description:
    'Joins a duplicate with the entity that it is: events, relations, names, attributes and tags of the duplicate become those of the entity, and the duplicate goes. Its names keep finding the entity.',
  kind: 'replaces',
  input: z.object({
    entity_id: idField('The entity that stays; of an attribute that both have, its value stays.'),
    duplicate_id: idField('The one that becomes part of it.'),
  }),
  output: z.object({ merged: z.boolean(), entity: entityAnswer }),
  run: async (given, context) => ({ merged: true, entity: toEntityAnswer(await mergeEntities(given, context)) }),
});
