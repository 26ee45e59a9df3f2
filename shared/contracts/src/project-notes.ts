import { z } from 'zod';
import { conversationHistorySchema } from './conversations.ts';
import { extractorSchema, failedPieceSchema, modelUsageSchema } from './memories.ts';

/** What a note is about, in the words of project memory. */
export const noteTypes = ['requirement', 'plan', 'development', 'testing', 'insight'] as const;
/** One of {@link noteTypes}. */
export type NoteType = (typeof noteTypes)[number];

/** What a conversation about a project says that later sessions should know; `occurred_at` is when it was said, ISO 8601. */
export const projectNoteSchema = z.object({
  content_type: z.enum(noteTypes),
  content: z.string(),
  occurred_at: z.string().optional(),
});
/** What a conversation about a project says that later sessions should know. */
export type ProjectNote = z.output<typeof projectNoteSchema>;

/** Arguments of `extract_project_notes`: saves nothing. */
export const extractProjectNotesRequestSchema = z.object({ conversation_history: conversationHistorySchema });
/** The answer of `extract_project_notes`; `failed` names pieces that written rules read in place of the model. */
export const extractProjectNotesResponseSchema = z.object({
  success: z.literal(true),
  extractor: extractorSchema,
  notes: z.array(projectNoteSchema),
  usage: modelUsageSchema.omit({ price_usd: true }).optional(),
  failed: z.array(failedPieceSchema).optional(),
});
