import { z } from 'zod';
import { addAlias } from '../domain/entities.ts';
import { idField, nameField } from '../domain/fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Gives an entity another name. */
export const addEntityAliasTool = defineUserTool({
  name: 'add_entity_alias',
  title: 'Another name for an entity',
  description: 'Remembers another name by which the user calls an entity, so that resolve_entity finds it.',
  kind: 'replaces',
  input: z.object({ entity_id: idField('The entity.'), alias: nameField('The other name.') }),
  output: z.object({ added: z.boolean().describe('false when it had that name.') }),
  run: async ({ entity_id, alias }, context) => ({ added: await addAlias({ entityId: entity_id, alias }, context) }),
});
