import { z } from 'zod';
import { conversationHistorySchema } from './conversations.ts';
import { identifier, userIdSchema } from './values/identifiers.ts';

/** What a memory is: an `episode` is a piece of the conversation word for word, the others are facts drawn from it. */
export const memoryTypeSchema = z.enum(['preference', 'event', 'relationship', 'knowledge', 'emotional', 'episode']);
/** What a memory is. */
export type MemoryType = z.output<typeof memoryTypeSchema>;

const occurredOnSchema = z
  .string()
  .optional()
  .describe('The month (2025-03) or year (2025) that was said where no day was; occurred_at is its first day.');

const endedAtSchema = z
  .string()
  .optional()
  .describe('Until when it was or will be so, as far as that was said, ISO 8601 UTC.');

const endedOnSchema = z
  .string()
  .optional()
  .describe('The month or year of the end where no day was said; ended_at is its first day.');

/** The tag that every memory carries in the knowledge base. */
export const MEMORY_TAG = 'memory';
/** The tag that every episode carries besides {@link MEMORY_TAG}. */
export const EPISODE_TAG = 'episode';
/** The tag of facts that another one has taken the place of, instead of {@link MEMORY_TAG}. */
export const SUPERSEDED_TAG = 'superseded';

/**
 * One memory as answers show it. `importance` is 1 to 10; `occurred_at` is when it happened, ISO 8601 UTC; `source` is where
 * it was said, e.g. `conv-26 D1:1-D1:6`.
 */
export const memorySchema = z.object({
  id: z.string(),
  content: z.string(),
  importance: z.number(),
  memory_type: memoryTypeSchema,
  tags: z.array(z.string()),
  occurred_at: z.string().optional(),
  occurred_on: occurredOnSchema,
  ended_at: endedAtSchema,
  ended_on: endedOnSchema,
  emotional_valence: z.number().min(-1).max(1).optional(),
  source: z.string().optional(),
});
/** One memory as answers show it. */
export type Memory = z.output<typeof memorySchema>;

/** Who made the memories: written rules, or a model by name. */
export const extractorSchema = z.object({ kind: z.enum(['rules', 'model']), name: z.string() });
/** Who made the memories. */
export type ExtractorInfo = z.output<typeof extractorSchema>;

/** Use of a model: calls, and the tokens that it was billed for; `price_usd` where the price is known. */
export const modelUsageSchema = z.object({
  calls: z.number().int(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  price_usd: z.number().optional(),
});
/** Use of the model. */
export type ModelUsage = z.output<typeof modelUsageSchema>;

/** What reading a conversation would ask of a model: exact in calls and input tokens, a guess in output tokens. */
export const estimateSchema = modelUsageSchema.extend({
  /** Pieces of the conversation, and those of them that are recorded already. */
  pieces: z.number().int(),
  pieces_known: z.number().int(),
  /** Where the price is from, or what is missing to tell it. */
  price_basis: z.string(),
});
/** What reading a conversation would ask of a model. */
export type Estimate = z.output<typeof estimateSchema>;

/** A fact that was not saved, and why; `importance` is absent when the model gave none. */
export const notSavedSchema = z.object({
  content: z.string(),
  importance: z.number().optional(),
  reason: z.string(),
});

/** A piece of the conversation from which no facts could be drawn, and why; its episode is saved all the same. */
export const failedPieceSchema = z.object({ source: z.string(), reason: z.string() });

/** How much of a conversation rests on a person's word; absent where nothing does. */
const retractedFields = {
  kept_as_corrected: z.int().optional().describe('Memories that stay as the user corrected them.'),
  left_out_deleted: z.int().optional().describe('Memories that are left out since the user deleted them.'),
};

const readingFields = {
  usage: modelUsageSchema.optional(),
  failed: z.array(failedPieceSchema).optional(),
};

const jobFields = {
  job_id: z
    .string()
    .optional()
    .describe(
      'With wait false: the job that reads the conversation. Nothing is saved yet. Else the job that reads what the budget has no room for.',
    ),
};

const transcriptFields = {
  conversation_history: conversationHistorySchema,
  transcript_id: identifier(
    'Names this conversation; without it a longer version is known again by what it begins with.',
  ).optional(),
  conversation_date: z
    .string()
    .max(64)
    .optional()
    .describe('When it took place (ISO 8601), for turns without a timestamp.'),
};

/** Arguments of `extract_memories`: saves nothing. */
export const extractMemoriesRequestSchema = z.object(transcriptFields);
/** The answer of `extract_memories`. */
export const extractMemoriesResponseSchema = z.object({
  success: z.literal(true),
  extractor: extractorSchema,
  memories: z.array(memorySchema.omit({ id: true })),
  not_saved: z.array(notSavedSchema).optional(),
  ...readingFields,
});
/** The answer of `extract_memories`. */
export type ExtractMemoriesResponse = z.output<typeof extractMemoriesResponseSchema>;

/** What turns get that nothing dates: the time of the call, none, or a time in ISO 8601. */
export const undatedTurnsSchema = z.union([z.enum(['call', 'none']), z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be "call", "none" or a time in ISO 8601',
});

/** Arguments of `process_transcript`. */
export const processTranscriptRequestSchema = z.object({
  user_id: userIdSchema,
  ...transcriptFields,
  force_save: z.boolean().default(false).describe('Save facts of low importance too.'),
  retry_failed: z.boolean().default(false).describe('Read those pieces again from which no facts could be drawn.'),
  undated_turns: undatedTurnsSchema
    .optional()
    .describe(
      'When turns were said that neither a timestamp nor conversation_date dates: "call" (now), "none" (nobody knows), or a time in ISO 8601. Those that an earlier call brought keep their time. Default: the setting of the memory processor.',
    ),
  dry_run: z
    .boolean()
    .default(false)
    .describe('Only estimate what it would ask of the model; nothing is sent or saved.'),
  store: z
    .boolean()
    .optional()
    .meta({ default: true })
    .describe('false: a conversation that is not to be remembered; nothing of it is read, kept or sent to a model.'),
  wait: z
    .boolean()
    .optional()
    .meta({ default: true })
    .describe('false: answer at once with a job_id and read the conversation later; get_job tells how far it is.'),
  idempotency_key: identifier(
    'With wait false: the same key of the same user again answers the job that is there, and makes no other.',
  ).optional(),
});
/** Arguments of `process_transcript`, after parsing. */
export type ProcessTranscriptRequest = z.output<typeof processTranscriptRequestSchema>;

/**
 * The answer of `process_transcript`: what was found, what was saved, what was left out and why. `memories_known` counts
 * the pieces of the conversation that an earlier call had saved already.
 */
export const processTranscriptResponseSchema = z.object({
  success: z.literal(true),
  message: z.string(),
  extractor: extractorSchema,
  transcript_id: z.string().optional(),
  transcript_ids: z.array(z.string()).optional().describe('Of several conversations, in place of transcript_id.'),
  memories_extracted: z.number().int(),
  memories_saved: z.number().int(),
  memories_known: z.number().int().optional(),
  saved_memories: z.array(memorySchema),
  not_saved: z.array(notSavedSchema),
  estimate: estimateSchema.optional(),
  ...retractedFields,
  ...readingFields,
  ...jobFields,
});
/** What is answered where a conversation is not to be remembered. */
export const NOT_STORED = {
  success: true,
  message: 'Nothing was stored: store is false.',
  memories_extracted: 0,
  memories_saved: 0,
  saved_memories: [],
  not_saved: [],
} satisfies Partial<z.input<typeof processTranscriptResponseSchema>>;
/** The answer of `process_transcript`. */
export type ProcessTranscriptResponse = z.output<typeof processTranscriptResponseSchema>;

/** The answer of `store_conversation_memory`; `memory_content`, `importance` and `memory_type` tell of the most important one. */
export const storeConversationResponseSchema = z.object({
  success: z.literal(true),
  message: z.string(),
  memory_saved: z.boolean(),
  memory_content: z.string().nullable(),
  importance: z.number().nullable(),
  memory_type: memoryTypeSchema.nullable(),
  memories_extracted: z.number().int(),
  memories_saved: z.number().int(),
  memories_known: z.number().int().optional(),
  saved_memories: z.array(memorySchema),
  extractor: extractorSchema.optional(),
  not_saved: z.array(notSavedSchema).optional(),
  estimate: estimateSchema.optional(),
  ...retractedFields,
  ...readingFields,
  ...jobFields,
});
/** The answer of `store_conversation_memory`. */
export type StoreConversationResponse = z.output<typeof storeConversationResponseSchema>;

/** Arguments of `list_facts`. */
export const listFactsRequestSchema = z.object({
  user_id: userIdSchema,
  as_of: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a date or a time in ISO 8601' })
    .optional()
    .describe('Only what was so at this time, ISO 8601.'),
  include_superseded: z.boolean().default(false).describe('Those too whose place another fact has taken.'),
});
/** The answer of `list_facts`, in the order in which they were said. Times are ISO 8601 UTC. */
export const listFactsResponseSchema = z.object({
  success: z.literal(true),
  facts: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      said_at: z.string(),
      occurred_at: z.string().optional(),
      occurred_on: occurredOnSchema,
      ended_at: endedAtSchema,
      ended_on: endedOnSchema,
      mentions: z.number().int().describe('How often it was said.'),
      valid_to: z.string().optional().describe('From when on it was so no more.'),
      superseded_by: z.string().optional(),
    }),
  ),
});

/** Arguments of `get_user_memories`. */
export const getUserMemoriesRequestSchema = z.object({
  user_id: userIdSchema,
  query: z
    .string()
    .max(100_000)
    .default('')
    .describe('What to look for; empty lists the most important, then the newest.'),
  top_k: z.number().int().min(1).max(100).default(10).describe('How many memories, 1 to 100.'),
  memory_type: memoryTypeSchema.optional(),
});

/** The answer of `get_user_memories`; `total_memories` counts all that the user has under the filter. */
export const getUserMemoriesResponseSchema = z.object({
  success: z.literal(true),
  user_id: z.string(),
  total_memories: z.number().int(),
  not_listed: z
    .array(z.string())
    .optional()
    .describe(
      'Services of the composition that may remember more of the user, of which this lists nothing; absent where there are none.',
    ),
  memories: z.array(
    z.object({
      id: z.string().optional().describe('Id of the document in the knowledge base.'),
      content: z.string(),
      importance: z.number().nullable(),
      memory_type: z.string().nullable(),
      created_at: z.string().nullable(),
      tags: z.array(z.string()),
      occurred_at: z.string().optional(),
      occurred_on: occurredOnSchema,
      day: z
        .string()
        .optional()
        .describe('When it happened, as prompts tell it: the day, month or year where the user is.'),
      ended_at: endedAtSchema,
      ended_on: endedOnSchema,
      source: z.string().optional(),
      relevance: z
        .number()
        .optional()
        .describe('Of a query: how sure it is that this answers it, 0 to 1, where the knowledge base says that.'),
    }),
  ),
});
/** The answer of `get_user_memories`. */
export type GetUserMemoriesResponse = z.output<typeof getUserMemoriesResponseSchema>;
