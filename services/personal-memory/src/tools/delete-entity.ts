import { z } from 'zod';
import { retireEntity } from '../domain/entities.ts';
import { idField } from '../domain/fields.ts';
import { deletionAnswer, toDeletionAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Takes an entity out of the active ones. */
export const deleteEntityTool = defineUserTool({
  name: 'delete_entity',
  title: 'Retire a pet, a person, a thing',
  description: 'Makes an entity inactive. Its events stay; update_entity with status "active" brings it back.',
  kind: 'replaces',
  input: z.object({ entity_id: idField('The entity.') }),
  output: deletionAnswer,
  run: async ({ entity_id }, context) => toDeletionAnswer(await retireEntity(entity_id, context)),
});
