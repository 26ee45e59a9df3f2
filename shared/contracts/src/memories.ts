import { z } from 'zod';
import { conversationHistorySchema } from './conversations.ts';
import { identifier, userIdSchema } from './identifiers.ts';

/** What a memory is: an `episode` is a piece of the conversation word for word, the others are facts drawn from it. */
export const memoryTypeSchema = z.enum(['preference', 'event', 'relationship', 'knowledge', 'emotional', 'episode']);
/** What a memory is. */
export type MemoryType = z.output<typeof memoryTypeSchema>;

/** The tag that every memory carries in the knowledge base. */
export const MEMORY_TAG = 'memory';
/** The tag that every episode carries besides {@link MEMORY_TAG}. */
export const EPISODE_TAG = 'episode';

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
  emotional_valence: z.number().min(-1).max(1).optional(),
  source: z.string().optional(),
});
/** One memory as answers show it. */
export type Memory = z.output<typeof memorySchema>;

/** Who made the memories: written rules, or a model by name. */
export const extractorSchema = z.object({ kind: z.enum(['rules', 'model']), name: z.string() });
/** Who made the memories. */
export type ExtractorInfo = z.output<typeof extractorSchema>;

const transcriptFields = {
  conversation_history: conversationHistorySchema,
  transcript_id: identifier(
    'Names this conversation, so that a longer version of it replaces what it grew from.',
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
});

/** Arguments of `process_transcript`. */
export const processTranscriptRequestSchema = z.object({
  user_id: userIdSchema,
  ...transcriptFields,
  force_save: z.boolean().default(false).describe('Save facts of low importance too.'),
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
  memories_extracted: z.number().int(),
  memories_saved: z.number().int(),
  memories_known: z.number().int().optional(),
  saved_memories: z.array(memorySchema),
  not_saved: z.array(z.object({ content: z.string(), importance: z.number(), reason: z.string() })),
});
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
});
/** The answer of `store_conversation_memory`. */
export type StoreConversationResponse = z.output<typeof storeConversationResponseSchema>;

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
  memories: z.array(
    z.object({
      content: z.string(),
      importance: z.number().nullable(),
      memory_type: z.string().nullable(),
      created_at: z.string().nullable(),
      tags: z.array(z.string()),
      occurred_at: z.string().optional(),
      source: z.string().optional(),
    }),
  ),
});
/** The answer of `get_user_memories`. */
export type GetUserMemoriesResponse = z.output<typeof getUserMemoriesResponseSchema>;
