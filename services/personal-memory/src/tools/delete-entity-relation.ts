import { z } from 'zod';
import { idField } from '../domain/fields.ts';
import { deletionAnswer, toDeletionAnswer } from './answers.ts';
import { defineUserTool } from './user-tool.ts';

/** Deletes a relation. */
export const deleteEntityRelationTool = defineUserTool({
  name: 'delete_entity_relation',
  title: 'Forget a relation',
  description: 'Deletes what an entity is to another; both entities stay.',
  kind: 'replaces',
  input: z.object({ relation_id: idField('The relation.') }),
  output: deletionAnswer,
  run: async ({ relation_id }, { memory }) =>
    toDeletionAnswer(await memory.change((writer) => writer.deleteRelation(relation_id))),
});
