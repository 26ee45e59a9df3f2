import { z } from 'zod';
import { addedGraphSchema, addGraphRequestSchema, importIdSchema, removedImportSchema } from '../graph.ts';
import { userIdSchema } from '../values/identifiers.ts';
import { transferFormats } from './words.ts';

/** How many records of each kind a memory has, or an import added. */
const recordCounts = z.object({ profile: z.int(), entities: z.int(), relations: z.int(), events: z.int() });

/** The operations by which memories leave and enter. */
export const transferOperations = {
  export_data: {
    input: z.object({
      format: z.enum(transferFormats).default('json').describe('How it is written.'),
      user_id: userIdSchema,
    }),
    output: z.object({
      format: z.enum(transferFormats),
      records: recordCounts,
      data: z.string(),
    }),
  },
  import_data: {
    input: z.object({
      format: z.enum(transferFormats).describe('How it is written.'),
      data: z.string().min(1, 'must not be empty').describe('The "data" of export_data.'),
      user_id: userIdSchema,
    }),
    output: z.object({ imported: recordCounts, already_known: recordCounts }),
  },
  add_graph: { input: addGraphRequestSchema.extend({ user_id: userIdSchema }), output: addedGraphSchema },
  remove_import: {
    input: z.object({ import_id: importIdSchema, user_id: userIdSchema }),
    output: removedImportSchema,
  },
} as const;
