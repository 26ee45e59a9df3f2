import { z } from 'zod';
import { derivedFromSchema } from './derivations.ts';
import { MAX_CONTENT_LENGTH } from './documents.ts';
import { trustSchema } from './trust.ts';
import { userIdSchema } from './values/identifiers.ts';
import { isWellFormed } from './values/json.ts';

/** The six kinds of memory. */
export const memoryTypes = ['core', 'episodic', 'semantic', 'procedural', 'resource', 'knowledge_vault'] as const;
/** One of {@link memoryTypes}. */
export type MemoryType = (typeof memoryTypes)[number];

/** A kind of memory as callers name it: older clients say `credentials` for the knowledge vault. */
export const memoryTypeNameSchema = z
  .enum([...memoryTypes, 'credentials'])
  .describe(
    'core (personal facts), episodic (events), semantic (knowledge), procedural (steps), resource (documents, links), knowledge_vault (secrets and reference data; "credentials" means the same).',
  );
/** A kind of memory as callers name it. */
export type MemoryTypeName = z.output<typeof memoryTypeNameSchema>;

/** Whose memory it is: on a server for one user no parameter that clients see. */
const boundUser = { user_id: userIdSchema };

/** A text that says something. */
function text(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((given) => given.trim() !== '', 'must not be empty')
    .refine(isWellFormed, 'contains a lone surrogate');
}

/** Which types a call is about. */
const memoryTypesSchema = z.array(memoryTypeNameSchema).max(12, 'must be at most 12 types').optional();

/** One of the six types, in answers. */
const typeSchema = z.enum(memoryTypes);

/** How many memories there are of each type that was requested. */
export const countsSchema = z.object({
  core: z.int().optional(),
  episodic: z.int().optional(),
  semantic: z.int().optional(),
  procedural: z.int().optional(),
  resource: z.int().optional(),
  knowledge_vault: z.int().optional(),
});

/** Names one memory. */
const memoryIdField = { memory_id: text(256).describe('The memory_id that a search or a list gave.') };

/** A memory as answers show it. */
export const memorySchema = z.object({
  memory_id: z.string(),
  type: typeSchema,
  content: z.string().describe('Its words; of a vault item that is not revealed its label.'),
  score: z.number().optional().describe('0 to 1, higher is better.'),
  relevance: z
    .number()
    .optional()
    .describe('Of a search: how sure it is that this answers, 0 to 1; the same in every store.'),
  context: z.string().optional(),
  importance: z.number().optional().describe('1 to 10.'),
  occurred_at: z.string().optional().describe('When it happened, ISO 8601 UTC.'),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  title: z.string().optional(),
  kind: z.string().optional(),
  location: z.string().optional(),
  concept: z.string().optional(),
  definition: z.string().optional(),
  steps: z.array(z.string()).optional(),
  previous: z
    .array(z.object({ content: z.string(), until: z.string() }))
    .optional()
    .describe('What the fact said before, newest first.'),
  is_passage: z.boolean().optional().describe('Whether content is a part of a longer text.'),
  label: z.string().optional().describe('Of a vault item.'),
  trust: trustSchema.optional(),
  revealed: z.boolean().optional().describe('Whether content is the secret of a vault item, or its label.'),
});

/** A memory as answers show it. */
export type TypedMemory = z.input<typeof memorySchema>;

/** Most images of one message. */
const MAX_IMAGES = 8;
const timeSchema = z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601' });
const PAGE = 'must be a whole number from 1 to 200';
/** Most results of one search. */
export const MAX_SEARCH_LIMIT = 50;
const SHARE = 'must be a number from 0 to 1';
const LIMIT = `must be a whole number from 1 to ${MAX_SEARCH_LIMIT}`;

/** What the operations of typed memory take and answer. */
export const typedMemory = {
  memory_add: {
    input: z.object({
      ...boundUser,
      content: text(MAX_CONTENT_LENGTH).describe('What to remember: complete and meaningful by itself.'),
      memory_type: memoryTypeNameSchema.optional(),
      context: text(2_000)
        .optional()
        .describe('Background that helps to understand the content; of a secret the label that it is found by.'),
      said_by: trustSchema.optional().meta({ default: 'user' }),
      derived_from: derivedFromSchema.optional(),
      expires_at: timeSchema.optional().describe('When it is forgotten; never without it.'),
    }),
    output: z.object({
      success: z.literal(true),
      message: z.string(),
      memory_id: z.string().optional().describe('Absent where the backend gives no ids; message says so.'),
      memory_type: typeSchema,
      suggested_type: typeSchema.optional(),
    }),
  },
  memory_chat: {
    input: z.object({
      ...boundUser,
      message: text(100_000).describe('What the user says.'),
      memorizing: z.boolean().default(true).describe('Whether what is worth keeping is stored.'),
      store: z.boolean().optional().describe('false: the same as memorizing false.'),
      image_uris: z
        .array(z.string())
        .max(MAX_IMAGES, `must be at most ${MAX_IMAGES} images`)
        .optional()
        .describe('Images that belong to the message: data: or https: URIs of PNG, JPEG, GIF or WebP.'),
      conversation_id: z
        .string()
        .max(256)
        .optional()
        .describe('Keeps conversations apart that go on at the same time; one conversation without it.'),
    }),
    output: z.object({
      success: z.literal(true),
      response: z.string(),
      memorized: z.boolean(),
      memory_updates: z.array(
        z.object({
          action: z.enum(['added', 'updated', 'known', 'processed', 'queued']),
          memory_type: typeSchema,
          memory_id: z.string().optional(),
          content: z.string().describe('Its words; of a secret the label.'),
          importance: z.number(),
        }),
      ),
      note: z.string().optional().describe('Why something was not kept, or that a key was made for the vault.'),
    }),
  },
  memory_delete: {
    input: z.object({
      ...boundUser,
      ...memoryIdField,
      erase: z.boolean().default(false).describe('Whether its words and its history go as well, for good.'),
    }),
    output: z.object({ success: z.literal(true), message: z.string() }),
  },
  memory_get_profile: {
    input: z.object({
      ...boundUser,
      memory_types: memoryTypesSchema.describe('Only these types; an overview of all when absent.'),
    }),
    output: z.object({
      success: z.literal(true),
      user_id: z.string(),
      profile: z.object({
        core_understanding: z.string(),
        recent_activities: z.array(z.string()),
        knowledge_areas: z.array(z.string()),
        written_by: z
          .enum(['list', 'model'])
          .describe('Who wrote core_understanding: stored facts as a list, or a model.'),
      }),
      memory_summary: countsSchema,
      total_memories: z.int(),
      last_updated: z.string().nullable().describe('ISO 8601 UTC; null when nothing is remembered yet.'),
    }),
  },
  memory_get: {
    input: z.object({ ...boundUser, ...memoryIdField }),
    output: z.object({ success: z.literal(true), memory: memorySchema }),
  },
  memory_list: {
    input: z.object({
      ...boundUser,
      memory_types: memoryTypesSchema.describe('Only these types; all of them when absent.'),
      order: z
        .enum(['updated', 'newest'])
        .default('updated')
        .describe('What comes first: last changed, or newest by when it happened.'),
      since: timeSchema.optional().describe('Only what happened then (else was made then) or later; ISO 8601.'),
      until: timeSchema.optional().describe('Only what happened before this.'),
      limit: z.int(PAGE).min(1, PAGE).max(200, PAGE).default(20).describe('How many a page.'),
      cursor: z.string().max(2_048).optional().describe('The next_cursor of the page before.'),
    }),
    output: z.object({
      success: z.literal(true),
      memories: z.array(memorySchema),
      total_count: z.int().describe('How many there are on all pages.'),
      next_cursor: z.string().optional().describe('Asks for the next page; absent on the last.'),
    }),
  },
  memory_search: {
    input: z.object({
      ...boundUser,
      query: text(100_000).describe('What to look for, in natural language; or the memory_id of one memory.'),
      memory_types: memoryTypesSchema.describe('Only these types; all of them when absent.'),
      limit: z
        .number()
        .int(LIMIT)
        .min(1, LIMIT)
        .max(MAX_SEARCH_LIMIT, LIMIT)
        .optional()
        .describe(`How many results, 1 to ${MAX_SEARCH_LIMIT}; 10 unless the server is set up otherwise.`),
      min_score: z.number(SHARE).min(0, SHARE).max(1, SHARE).optional().describe('What is less relevant is left out.'),
    }),
    output: z.object({
      success: z.literal(true),
      query: z.string(),
      memories: z.array(memorySchema),
      total_count: z.number().int(),
      nearest_score: z.number().optional().describe('Where nothing fits: how relevant the best memory was, 0 to 1.'),
    }),
  },
  memory_update: {
    input: z.object({
      ...boundUser,
      ...memoryIdField,
      content: text(MAX_CONTENT_LENGTH).describe('What it says from now on: complete and meaningful by itself.'),
    }),
    output: z.object({ success: z.literal(true), memory: memorySchema }),
  },
} as const;
/** One of {@link typedMemory}. */
export type TypedMemoryContract = typeof typedMemory;
