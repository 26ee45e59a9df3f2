import { z } from 'zod';
import { toDocument } from '../domain/transfer/export.ts';
import { transferFormats, writeDocument } from '../transfer/formats.ts';
import { defineUserTool } from './user-tool.ts';

/** Hands out the whole memory of the user. */
export const exportDataTool = defineUserTool({
  name: 'export_data',
  title: 'Export the memory',
  description: 'Hands out everything that is remembered about the user as JSON or CSV, which import_data takes back.',
  kind: 'reads',
  input: z.object({ format: z.enum(transferFormats).default('json').describe('How it is written.') }),
  output: z.object({
    format: z.enum(transferFormats),
    records: z.object({ profile: z.int(), entities: z.int(), relations: z.int(), events: z.int() }),
    data: z.string(),
  }),
  run: async ({ format }, { memory }) => {
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
  },
});
