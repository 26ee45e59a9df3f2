import { z } from 'zod';
import { conversationHistorySchema } from './conversations.ts';
import { budgetSchema, jobCountsSchema } from './jobs.ts';
import { LANGUAGES } from './languages.ts';
import { trustSchema } from './trust.ts';
import { displayNameSchema, personaNameSchema, userIdSchema } from './values/identifiers.ts';
import { waitingCountSchema } from './waiting.ts';

/** Where what is remembered stands: in front of the persona, behind it, or with the newest message of the user. */
export const PLACEMENTS = ['before_persona', 'after_persona', 'last_message'] as const;
/** Where what is remembered stands. */
export type Placement = (typeof PLACEMENTS)[number];

/** Arguments of `build_prompt_with_context`. */
export const buildPromptRequestSchema = z.object({
  persona_name: personaNameSchema,
  user_id: userIdSchema,
  user_query: z.string().max(100_000).default('').describe('What the user says now; memories are searched with it.'),
  conversation: conversationHistorySchema
    .optional()
    .describe(
      'What was said before: text of "Name: words" lines, or a list of turns. The last turns join "user_query" in searches, so that "and for Ros?" finds what it goes on from.',
    ),
  memory_top_k: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ default: 3 })
    .describe('How many memories, 1 to 100; without it 3, or as many as fit into "max_tokens" where that is set.'),
  max_tokens: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Most tokens of all that is not the persona (o200k_base).'),
  user_name: displayNameSchema.optional().describe("What the persona calls the user, if not the persona's default."),
  char_name: displayNameSchema.optional().describe("What the persona is called, if not the persona's default."),
  now: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time with a time zone, such as 2025-11-20T18:00:00Z' })
    .optional()
    .describe('The time of the call (ISO 8601). When given, the prompt says what day it is.'),
  prompt_notes: z
    .boolean()
    .optional()
    .describe('Whether the prompt says what day it is, and that later entries supersede earlier ones.'),
  prompt_language: z.enum(LANGUAGES).optional().describe("The language of the headings; the persona's when absent."),
  fence: z.boolean().optional().describe('Whether what is not the persona stands between marks made for this prompt.'),
  placement: z
    .enum(PLACEMENTS)
    .optional()
    .describe(
      'Where memories stand, "before_persona" by default. With "last_message" the prompt is the persona and what seldom changes, and the part "recall" goes with the newest message of the user, so that a provider can cache all before it.',
    ),
  told: z
    .array(z.string().min(1).max(1_000))
    .max(2_000)
    .optional()
    .describe('Lines that the conversation has already, by the "ids" of earlier parts or ids of documents; left out.'),
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

/** That something in a line is so no more. */
export const promptMarkSchema = z.object({
  until: z.string().describe('The month in which that was said, "YYYY-MM".'),
  now: z.string().optional().describe('What is so now.'),
  correction: z.literal(true).optional().describe('Set where it was never so.'),
  by: z.string().describe('The document that tells it.'),
});
/** That something in a line is so no more. */
export type PromptMark = Readonly<z.output<typeof promptMarkSchema>>;

const lineSchema = z.object({
  text: z.string().describe('The line as it stands in the prompt, without its list mark.'),
  source: z.string(),
  server: z.string(),
  id: z.string().optional().describe('The document that it was made of.'),
  score: z.number().optional(),
  relevance: z.number().optional(),
  time: z.string().optional().describe('When it happened, ISO 8601.'),
  tokens: z.number().int().optional().describe('Of the line with its list mark.'),
  part: z
    .enum(['core', 'recall'])
    .optional()
    .describe('What it belongs to: what seldom changes, or what was found for this question.'),
  trust: trustSchema.optional(),
  said_by: z.array(trustSchema).optional().describe('All who said it, where these are several.'),
  replaced: z
    .array(promptMarkSchema)
    .optional()
    .describe('What in the line is so no more; the line says so behind it. Absent where nothing is.'),
});
/** A line of a prompt and where it came from. */
export type PromptLine = Readonly<z.output<typeof lineSchema>>;

const leftOutSchema = lineSchema.omit({ text: true, part: true, replaced: true }).extend({
  reason: z.enum(['no_room', 'not_relevant', 'not_chosen', 'not_trusted', 'instruction', 'empty', 'told']),
});
/** Something that a source gave and the prompt does not tell, and why; its text is not shown. */
export type PromptOmission = Readonly<z.output<typeof leftOutSchema>>;

/** What one declared source brought to a prompt. */
export const manifestSourceSchema = z.object({
  source: z.string(),
  server: z.string(),
  status: z.enum(['ok', 'cached', 'timeout', 'error', 'skipped']),
  reason: z.string().optional(),
  age_ms: z.number().optional().describe('How old a cached answer is.'),
  lines: z.number().int(),
  tokens: z.number().int(),
  left_out: z.number().int(),
  left_out_relevance: z.number().optional().describe('The best relevance of what was left out, 0 to 1.'),
});
/** What one declared source brought to a prompt. */
export type ManifestSource = Readonly<z.output<typeof manifestSourceSchema>>;

/** What a prompt is made of: its hash, and what each source brought to it. */
export const manifestSchema = z.object({
  status: z.enum(['complete', 'partial']),
  hash: z.string().describe('Names this prompt to explain_prompt of the same process, for the same user.'),
  tokens: z.number().int().describe('Of all that is not the persona.'),
  tokens_cut: z.number().int().describe('Of what had no room.'),
  sources: z.array(manifestSourceSchema),
});

/** A part of a prompt, by what changes it: `persona` nothing, `core` the memory, `recall` each question. */
export const promptPartSchema = z.object({
  kind: z.enum(['persona', 'core', 'recall']),
  text: z.string().describe('Empty where there is nothing of the kind.'),
  tokens: z.int(),
  digest: z.string().describe('SHA-256 of the text: the same as long as the text is.'),
  ids: z.array(z.string()).optional().describe('Of "recall": what "told" of a later call names its lines by.'),
});
/** A part of a prompt. */
export type PromptPart = Readonly<z.output<typeof promptPartSchema>>;

/** Arguments of `explain_prompt`. */
export const explainPromptRequestSchema = z.object({
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the "hash" of a manifest: 64 letters and digits')
    .describe('The "hash" in the manifest of a prompt that was built lately.'),
  user_id: userIdSchema.describe('The user that the prompt was built for; other users cannot read it.'),
});

/** The answer of `explain_prompt`: each line in the order of the prompt, and what was left out. */
export const explainPromptResponseSchema = z.object({
  hash: z.string(),
  persona: z.string(),
  placement: z.enum(PLACEMENTS).optional(),
  parts: z
    .array(promptPartSchema.omit({ text: true, ids: true }))
    .optional()
    .describe('Without their texts.'),
  manifest: manifestSchema,
  lines: z.array(lineSchema),
  left_out: z.array(leftOutSchema),
});
/** The answer of `explain_prompt`. */
export type ExplainPromptResponse = z.output<typeof explainPromptResponseSchema>;

/** How much more was found than is included. */
export const withheldSchema = z
  .object({ count: z.number(), best_relevance: z.number().optional() })
  .describe('How many more were found, and the best relevance of them, 0 to 1.');
/** How much more was found than is included. */
export type Withheld = Readonly<z.output<typeof withheldSchema>>;

/** What `build_prompt_with_context` returns besides its text: `partial` when a source is missing. */
export const buildPromptResponseSchema = z.object({
  prompt: z.string(),
  status: z.enum(['complete', 'partial']),
  sources: z.array(promptSourceSchema),
  parts: z
    .array(promptPartSchema)
    .optional()
    .describe('What the prompt is made of, in the order persona, core, recall.'),
  manifest: manifestSchema.optional(),
  withheld: withheldSchema.optional(),
});
/** What `build_prompt_with_context` returns besides its text. */
export type BuildPromptResponse = z.output<typeof buildPromptResponseSchema>;

/** The answer of `get_service_status`: down when not one server answers, degraded when some do not. */
export const serviceStatusSchema = z.object({
  service: z.string(),
  status: z.enum(['running', 'degraded', 'down']),
  configuration: z
    .object({
      status: z.enum(['current', 'refused']),
      reason: z.string().optional().describe('Why the changed file is refused; the one before it stays in force.'),
    })
    .optional(),
  components: z.record(
    z.string(),
    z.object({
      status: z.enum(['running', 'unavailable']),
      reason: z.string().optional(),
      tools: z.number().int().optional(),
      waiting_count: waitingCountSchema.optional(),
      jobs: jobCountsSchema.optional().describe('Its jobs by state, of all users.'),
      budget: budgetSchema.optional().describe('What its model may be asked for today.'),
      service: z.string().optional().describe('The service that this server is, where its own name is another.'),
      calls: z
        .object({
          count: z.int().min(0),
          failed: z.int().min(0),
          p50_ms: z.number().optional(),
          p95_ms: z.number().optional(),
        })
        .optional()
        .describe(
          'The newest calls, 200 at most: how many failed, and within how long half and 95 of 100 were answered.',
        ),
    }),
  ),
});
/** The answer of `get_service_status`. */
export type ServiceStatus = z.output<typeof serviceStatusSchema>;
