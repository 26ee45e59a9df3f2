import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { addAlias } from '../../domain/entities/entities.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Adds an alias to an entity. */
export const addEntityAliasOperation = defineOperation({
  name: 'add_entity_alias',
  title: 'Another name for an entity',
  description: 'Remembers another name by which the user calls an entity, so that resolve_entity finds it.',
  effect: 'replaces',
  scope: 'user',
  ...contract.add_entity_alias,
  example: {
    input: { user_id: 'ann', entity_id: 1, alias: 'Bix' },
    output: { added: true },
  },
  run: ({ user_id, entity_id, alias }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      added: await addAlias({ entityId: entity_id, alias }, context),
    })),
});
