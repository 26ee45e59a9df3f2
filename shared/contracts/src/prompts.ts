import { z } from 'zod';
import { displayNameSchema, personaNameSchema, userIdSchema } from './identifiers.ts';

/** Arguments of `build_prompt_with_context`. */
export const buildPromptRequestSchema = z.object({
  persona_name: personaNameSchema,
  user_id: userIdSchema,
  user_query: z.string().max(100_000).default('').describe('What the user says now; memories are searched with it.'),
  memory_top_k: z.number().int().min(1).max(100).default(3).describe('How many memories, 1 to 100.'),
  user_name: displayNameSchema.optional().describe("What the persona calls the user, if not the persona's default."),
  char_name: displayNameSchema.optional().describe("What the persona is called, if not the persona's default."),
});
/** Arguments of `build_prompt_with_context`, after parsing. */
export type BuildPromptRequest = z.output<typeof buildPromptRequestSchema>;

/** One source that the prompt was built from, and whether it answered. */
export const promptSourceSchema = z.object({
  server: z.string(),
  status: z.enum(['ok', 'failed']),
  reason: z.string().optional(),
});
/** One source that the prompt was built from. */
export type PromptSource = z.output<typeof promptSourceSchema>;

/** What `build_prompt_with_context` returns besides its text: `partial` when a source is missing. */
export const buildPromptResponseSchema = z.object({
  prompt: z.string(),
  status: z.enum(['complete', 'partial']),
  sources: z.array(promptSourceSchema),
});
/** What `build_prompt_with_context` returns besides its text. */
export type BuildPromptResponse = z.output<typeof buildPromptResponseSchema>;

/** The answer of `get_service_status`: down when not one server answers, degraded when some do not. */
export const serviceStatusSchema = z.object({
  service: z.string(),
  status: z.enum(['running', 'degraded', 'down']),
  components: z.record(
    z.string(),
    z.object({
      status: z.enum(['running', 'unavailable']),
      reason: z.string().optional(),
      tools: z.number().int().optional(),
    }),
  ),
});
/** The answer of `get_service_status`. */
export type ServiceStatus = z.output<typeof serviceStatusSchema>;
