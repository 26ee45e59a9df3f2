import { REMOVE_IMPORT } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { removeImport } from '../../domain/graph/remove-import.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Takes back what an import added. */
export const removeImportOperation = defineOperation({
  name: REMOVE_IMPORT,
  title: 'Take an import back',
  description:
    'Deletes the entities, observations and relations that add_graph added for an import. What another import has too, or what was changed or built on since, stays and is named.',
  effect: 'deletes',
  scope: 'user',
  ...contract.remove_import,
  example: {
    input: { user_id: 'ann', import_id: '43c26368ad68' },
    output: {
      removed: { entities: 1, observations: 1, relations: 1 },
      kept: [{ entity_id: 7, name: 'Ann', why: 'events are about it' }],
    },
  },
  run: ({ user_id, import_id }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { removed, kept } = await removeImport(import_id, context);
      return { removed, kept: kept.map(({ id, ...rest }) => ({ entity_id: id, ...rest })) };
    }),
});
