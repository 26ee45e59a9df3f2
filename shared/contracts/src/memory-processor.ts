import { z } from 'zod';
import {
  listDecisionsRequestSchema,
  listDecisionsResponseSchema,
  undoDecisionRequestSchema,
  undoDecisionResponseSchema,
} from './decisions.ts';
import { countJobsAnswerSchema, jobOperations } from './jobs.ts';
import {
  extractMemoriesRequestSchema,
  extractMemoriesResponseSchema,
  listFactsRequestSchema,
  listFactsResponseSchema,
  processTranscriptRequestSchema,
  processTranscriptResponseSchema,
} from './memories.ts';
import { extractProjectNotesRequestSchema, extractProjectNotesResponseSchema } from './project-notes.ts';
import { userIdSchema } from './values/identifiers.ts';
import { isTimeZone } from './values/time-zone.ts';

const UPLOAD = 'must be the upload that upload_import answered';

/** The file of a user that was handed in. */
const uploadSchema = z
  .string()
  .regex(/^[\da-f-]{36}$/u, UPLOAD)
  .describe('As upload_import answered it.');

/** The options of an import of a file. */
const orderSchema = z.object({
  user_id: userIdSchema,
  upload: uploadSchema,
  me: z.array(z.string().min(1).max(256)).max(20).optional().describe('The names of the user in the chat.'),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Paris')
    .optional()
    .describe('The zone of times without one, such as Asia/Shanghai.'),
  format: z.string().min(1).max(64).optional().describe('The format, instead of the one that is found.'),
});

const importSchema = z.object({
  id: z.string(),
  sources: z.array(z.string()).describe('The files, as they were called.'),
  state: z
    .enum(['running', 'done', 'stopped', 'undone', 'cut_off'])
    .describe('cut_off: its process ended; the same file again goes on with it.'),
  started_at: z.string(),
  ended_at: z.string().optional(),
  conversations: z.int().describe('Those that came to an end, whatever the end.'),
  saved: z.int().describe('Memories.'),
  nothing: z.int().describe('Conversations in which nothing was new.'),
  failed: z.int().describe('Conversations.'),
  kept_as_corrected: z.int().describe('Memories that stay as the user corrected them.'),
  deleted: z.int().describe('Memories that are left out since the user deleted them.'),
  failures: z.array(z.object({ title: z.string(), reason: z.string() })).describe('The first hundred.'),
  progress: z.object({ done: z.int(), total: z.int() }).optional().describe('Turns, while it is under way here.'),
});

/** Longest piece, in characters of base64: with its message it stays below what a call may carry. */
const MAX_DATA = 4_000_000;

/** What the operations of the memory processor take and answer. */
export const memoryProcessor = {
  ...jobOperations,
  count_jobs: { input: z.object({}), output: countJobsAnswerSchema },
  extract_memories: { input: extractMemoriesRequestSchema, output: extractMemoriesResponseSchema },
  extract_project_notes: { input: extractProjectNotesRequestSchema, output: extractProjectNotesResponseSchema },
  list_decisions: { input: listDecisionsRequestSchema, output: listDecisionsResponseSchema },
  list_facts: { input: listFactsRequestSchema, output: listFactsResponseSchema },
  list_imports: { input: z.object({ user_id: userIdSchema }), output: z.object({ imports: z.array(importSchema) }) },
  preview_import: {
    input: orderSchema.extend({
      left_out_from: z.int().min(0).default(0).describe('The first line of left_out_lines, from 0.'),
      left_out_limit: z.int().min(1).max(1_000).default(100).describe('How many lines left_out_lines lists.'),
    }),
    output: z.object({
      formats: z.array(z.string()),
      conversations: z.int(),
      titles: z.array(z.string()).describe('What the conversations are called; the first hundred.'),
      turns: z.int(),
      undated_turns: z.int(),
      speakers: z.array(z.object({ name: z.string(), turns: z.int(), is_user: z.boolean() })),
      from: z.string().optional(),
      to: z.string().optional(),
      left_out: z.array(z.object({ what: z.string(), count: z.int() })).describe('How often each reason comes.'),
      left_out_lines: z
        .array(z.object({ place: z.string(), reason: z.string(), text: z.string() }))
        .describe('What is left out, message by message, its first 500 characters.'),
      left_out_count: z.int().describe('How many such lines there are.'),
      kept_as_corrected: z.int().describe('Memories that stay as the user corrected them.'),
      deleted: z.int().describe('Memories that are left out since the user deleted them.'),
      faults: z.array(z.object({ place: z.string(), reason: z.string() })),
      fault_count: z.int(),
      notes: z.array(z.string()),
      who_is_me: z.boolean().describe('Whether nobody in it is taken for the user: me says who is.'),
      estimated_calls: z.int().optional().describe('Calls of a model that it would take; absent without a model.'),
    }),
  },
  process_transcript: { input: processTranscriptRequestSchema, output: processTranscriptResponseSchema },
  start_import: {
    input: orderSchema,
    output: z.object({ id: z.string(), turns: z.int().describe('How many turns there are.') }),
  },
  undo_decision: { input: undoDecisionRequestSchema, output: undoDecisionResponseSchema },
  undo_import: {
    input: z.object({ user_id: userIdSchema, id: z.string().regex(/^[\da-f]{12}$/u, 'must be the id of an import') }),
    output: z.object({
      id: z.string(),
      removed: z.int(),
      restored: z.int(),
      kept: z.int().describe('Memories that stay, since the user corrected them after the import.'),
    }),
  },
  upload_import: {
    input: z.object({
      user_id: userIdSchema,
      upload: uploadSchema.optional().describe('Of a further piece: as the first was answered.'),
      name: z.string().trim().min(1).max(255).describe('What people call the file.'),
      offset: z.int().min(0).default(0).describe('Where the piece belongs, in bytes.'),
      data: z.string().min(1).max(MAX_DATA).describe('The bytes of the piece, as base64.'),
    }),
    output: z.object({ upload: z.string(), bytes: z.int().describe('How much of the file has come in.') }),
  },
} as const;
/** One of {@link memoryProcessor}. */
export type MemoryProcessorContract = typeof memoryProcessor;
