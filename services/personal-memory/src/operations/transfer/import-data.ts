import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { importDocument } from '../../domain/transfer/import.ts';
import { readDocument } from '../../transfer/formats.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleMemory } from './records.ts';

/** Imports an exported memory. */
export const importDataOperation = defineOperation({
  name: 'import_data',
  title: 'Import a memory',
  description:
    'Adds what export_data handed out, all of it or nothing. What is there already is not added again; of a fact the later value stays.',
  effect: 'replaces',
  scope: 'user',
  ...contract.import_data,
  example: {
    input: { user_id: 'ann', format: 'json', data: exampleMemory },
    output: {
      imported: { profile: 1, entities: 0, relations: 0, events: 0 },
      already_known: { profile: 0, entities: 0, relations: 0, events: 0 },
    },
  },
  run: ({ user_id, format, data }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { imported, known } = await importDocument(await readDocument(data, { format, source: 'data' }), context);
      return { imported, already_known: known };
    }),
});
