import { ADD_GRAPH, REMOVE_IMPORT } from '@contextloom/contracts';
import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { defineOperation } from '@contextloom/server-kit';
import { addGraph } from '../domain/graph/add-graph.ts';
import { removeImport } from '../domain/graph/remove-import.ts';
import { type PersonalMemoryContext, withMemoryOf } from './deps.ts';

/** Adds a part of another program's graph. */
export const addGraphOperation = defineOperation({
  name: ADD_GRAPH,
  title: 'Import a graph',
  description:
    'Adds entities with their observations, and relations by name, as other memory programs keep them, all of it or nothing. An entity that is there under the name or an alias is joined; what is there already is not added again. remove_import takes it back.',
  effect: 'adds',
  scope: 'user',
  ...contract.add_graph,
  example: {
    input: {
      user_id: 'ann',
      import_id: '43c26368ad68',
      entities: [{ name: 'Ben', kind: 'person', observations: ['lives in Lyon'] }],
      relations: [{ from: 'Ben', to: 'Ann', relation_type: 'brother_of' }],
    },
    output: {
      added: { entities: 2, observations: 1, relations: 1 },
      already_known: { entities: 0, observations: 0, relations: 0 },
    },
  },
  // One observation of a file that is marked must not keep the others out.
  leaveOut: withoutPrivateIn,
  run: ({ user_id, ...part }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { added, known } = await addGraph(part, context);
      return { added, already_known: known };
    }),
});

/** Takes back what an import added. */
export const removeImportOperation = defineOperation({
  name: REMOVE_IMPORT,
  title: 'Undo an import',
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
