import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toDocument } from '../../domain/transfer/export.ts';
import { writeDocument } from '../../transfer/formats.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleMemory } from './records.ts';

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
