import { z } from 'zod';
import { importDocument } from '../domain/transfer/import.ts';
import { readDocument, transferFormats } from '../transfer/formats.ts';
import { defineUserTool } from './user-tool.ts';

const counts = z.object({ profile: z.int(), entities: z.int(), relations: z.int(), events: z.int() });

/** Takes in an exported memory. */
export const importDataTool = defineUserTool({
  name: 'import_data',
  title: 'Import a memory',
  description:
    'Adds what export_data handed out, all of it or nothing. What is there already is not added again; of a fact the later value stays.',
  kind: 'replaces',
  input: z.object({
    format: z.enum(transferFormats).describe('How it is written.'),
    data: z.string().min(1, 'must not be empty').describe('The "data" of export_data.'),
  }),
  output: z.object({ imported: counts, already_known: counts }),
  run: async ({ format, data }, context) => {
    const { imported, known } = await importDocument(await readDocument(data, { format, source: 'data' }), context);
    return { imported, already_known: known };
  },
});
