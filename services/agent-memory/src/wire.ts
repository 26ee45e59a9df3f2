import { anyObjectJsonSchema, type JsonObject } from '@contextloom/contracts';
import { z } from 'zod';
import { sectionNames } from './domain/context/budget.ts';
import { contentSchema, contentTypeSchema, dateSchema, MAX_CONTENT_LENGTH, metadataSchema } from './domain/entry.ts';

/** The shapes of what tools and routes take and answer. */

const jsonObject = z.custom<JsonObject>().meta(anyObjectJsonSchema);
const scoreSchema = z.number().min(0).max(1);

/** One memory. */
export const entrySchema = z.object({
  id: z.uuid(),
  content: z.string(),
  content_type: contentTypeSchema,
  source_file: z.string().describe('Relative to the workspace.'),
  date: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  label: z.string().optional().describe('What a person called it, where that is none of the types.'),
  metadata: jsonObject.optional(),
});

/** A page of memories, newest first. */
export const entryPageSchema = z.object({ items: z.array(entrySchema), total: z.number().int() });

/** What a search finds. */
export const searchAnswerSchema = z.object({
  items: z.array(
    z.object({ entry: entrySchema, score: scoreSchema, vector_score: scoreSchema, text_score: scoreSchema }),
  ),
  query: z.string(),
  total: z.number().int(),
});

/** The log of a day. */
export const dailyLogSchema = z.object({
  date: z.string(),
  file_path: z.string(),
  entries: z.array(z.string()),
  items: z.array(entrySchema),
  summary: z.string().nullable(),
  created_at: z.string(),
});

/** The field that names who asks. */
export const sessionField = {
  session: z
    .enum(['owner', 'shared'])
    .default('owner')
    .describe('shared: others than the owner read along; MEMORY.md is left out.'),
};
/** The field that names an entry. */
export const idField = {
  id: z.string().min(1, 'must not be empty').max(100, 'must be at most 100 characters').describe('The id of an entry.'),
};

const selectionFields = {
  content_type: contentTypeSchema.optional(),
  start_date: dateSchema.optional().describe('From this day on, such as 2026-02-14.'),
  end_date: dateSchema.optional().describe('Up to this day.'),
};
const queryField = z.string().max(10_000, 'must be at most 10000 characters');
const limitField = (usual: number) => z.coerce.number().int().min(1).max(100).default(usual);

/** Adding an entry. */
export const addSchema = z.object({
  content: contentSchema.describe(`The text, 1 to ${MAX_CONTENT_LENGTH} characters.`),
  content_type: contentTypeSchema.default('manual'),
  metadata: metadataSchema.optional(),
  long_term: z.boolean().default(false).describe("In MEMORY.md instead of today's log."),
  label: z
    .string()
    .trim()
    // Signs of number at its end would be the end of a heading.
    .regex(
      /^(?!.*(?:^|[ \t])#+$)[^\][\p{Cc}\p{Cs}\u2028\u2029\uFEFF]{2,60}$/u,
      'must be 2 to 60 characters on one line, without brackets and without # at its end',
    )
    .optional()
    .describe('What it is called in the place of its type, such as 重要约定.'),
  ...sessionField,
});

/** Changing an entry. */
export const updateFields = {
  content: contentSchema.optional(),
  content_type: contentTypeSchema.optional(),
  metadata: metadataSchema.optional().describe('Replaces the metadata that is there.'),
  ...sessionField,
};

/** A listing, newest first. */
export const listSchema = z.object({
  ...selectionFields,
  limit: limitField(20),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  ...sessionField,
});

/** A search. */
export const searchSchema = z.object({
  query: queryField.refine((text) => text.trim() !== '', 'must not be empty'),
  ...selectionFields,
  limit: limitField(10),
  fusion: z
    .enum(['weighted', 'rrf'])
    .default('weighted')
    .describe('weighted: 0.7 × vector_score + 0.3 × text_score; rrf: reciprocal rank fusion.'),
  ...sessionField,
});

/** Which context is wanted. */
export const contextSchema = z.object({
  query: queryField.optional().describe('What the prompt is about; memories for it are added.'),
  ...sessionField,
  include_long_term: z.boolean().default(true),
  days: z.coerce.number().int().min(1).max(31).default(2).describe("Days of logs, today's included."),
  token_budget: z.coerce.number().int().min(100).max(1_000_000).default(4_000),
  sections: z.array(z.enum(sectionNames)).min(1).optional().describe('Which sections; all when absent.'),
  lines: z.boolean().default(false).describe('Also answer line by line, for a gateway that composes prompts.'),
});

/** A loaded context. */
export const contextAnswerSchema = z.object({
  context: z.string(),
  tokens: z.number().int(),
  token_budget: z.number().int(),
  sections: z.array(
    z.object({
      name: z.enum(sectionNames),
      source_files: z.array(z.string()),
      tokens: z.number().int(),
      entries: z.array(z.string()),
    }),
  ),
  lines: z
    .array(
      z.object({
        section: z.enum(sectionNames),
        text: z.string(),
        id: z.string().optional(),
        date: z.string().optional(),
        user_id: z.string().optional().describe('Whose workspace it is (AGENT_MEMORY_USER_ID).'),
      }),
    )
    .optional(),
  left_out: z
    .array(
      z.object({
        section: z.enum(sectionNames),
        reason: z.enum(['budget', 'session', 'not_asked']),
        entries: z.array(z.string()),
        lines: z.number().int(),
      }),
    )
    .describe('What is not in it, and why.'),
});

const readFromFields = { file_path: z.string(), last_modified: z.string().nullable() };
const texts = z.array(z.string());

/** Who the agent is. */
export const spiritSchema = z.object({
  role: z.string(),
  personality: z.string(),
  values: texts,
  behavior_rules: texts,
  ...readFromFields,
});

/** Whom it serves. */
export const ownerSchema = z.object({
  name: z.string(),
  age: z.number().int().nullable(),
  occupation: z.string().nullable(),
  interests: texts,
  goals: texts,
  preferences: z.record(z.string(), z.union([z.string(), z.literal(true)])),
  ...readFromFields,
});

/** Which files there are, and what is still empty. */
export const statusSchema = z.object({
  initialized: z.boolean(),
  files: z.array(z.object({ path: z.string(), exists: z.boolean() })),
  missing: texts.describe('Required fields that are empty.'),
});
/** What the making of the files came to. */
export const initSchema = statusSchema.extend({ created: texts });

/** The whole identity. */
export const identitySchema = z.object({
  spirit: spiritSchema,
  owner: ownerSchema,
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      parameters: jsonObject,
      enabled: z.boolean(),
      category: z.string(),
    }),
  ),
  status: statusSchema,
});

/** What became of a deletion. */
export const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

/** What a comparison of the files with the index came to. */
export const syncSchema = z.object({
  files: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
});
