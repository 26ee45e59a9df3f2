import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toDocument } from '../domain/transfer/export.ts';
import { importDocument } from '../domain/transfer/import.ts';
import { readDocument, writeDocument } from '../transfer/formats.ts';
import { type PersonalMemoryContext, withMemoryOf } from './deps.ts';

/** A memory in the examples of its export and import. */
const exampleMemory =
  '{"format":"contextloom-personal-memory","version":1,"profile":[{"key":"city","value":"Leith","updated_at":"2026-03-02T09:30:00.000Z"}]}';

/** Exports the whole memory of a user. */
export const exportDataOperation = defineOperation({
  name: 'export_data',
  title: 'Export the memory',
  description: 'Hands out everything that is remembered about the user as JSON or CSV, which import_data takes back.',
  effect: 'reads',
  // Everything about a person in one answer: a key that reads for an application need not be able to carry it off.
  requires: 'admin',
  scope: 'user',
  ...contract.export_data,
  example: {
    input: { user_id: 'ann' },
    output: { format: 'json', records: { profile: 1, entities: 0, relations: 0, events: 0 }, data: exampleMemory },
  },
  run: ({ user_id, format }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async ({ memory }) => {
      const document = await toDocument(memory);
      const { profile, entities, relations, events } = document;
      return {
        format,
        records: {
          profile: profile.length,
          entities: entities.length,
          relations: relations.length,
          events: events.length,
        },
        data: await writeDocument(document, format),
      };
    }),
});

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
  // Text of a file: its parser takes out of each field what is marked as private.
  leaveOut: 'self',
  run: ({ user_id, format, data }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { imported, known } = await importDocument(await readDocument(data, { format, source: 'data' }), context);
      return { imported, already_known: known };
    }),
});
