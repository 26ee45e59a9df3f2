import { z } from 'zod';
import { consequencesField } from '../derivations.ts';
import { withheldSchema } from '../prompts.ts';
import type { DeepReadonly } from '../values/deep-readonly.ts';
import { anyObjectJsonSchema, type JsonObject } from '../values/json.ts';
import { contentTypeSchema } from './entry.ts';
import { sectionNames } from './requests.ts';

/** What operations answer. */

const jsonObject = z.custom<JsonObject>().meta(anyObjectJsonSchema);
const scoreSchema = z.number().min(0).max(1);
const texts = z.array(z.string());

/** One memory; times are ISO 8601 UTC. */
export const entrySchema = z.object({
  id: z.guid(),
  content: z.string(),
  content_type: contentTypeSchema,
  source_file: z.string().describe('Relative to the workspace.'),
  date: z.string().describe('Empty for text of MEMORY.md that stands under no day.'),
  created_at: z.string(),
  updated_at: z.string(),
  label: z.string().optional().describe('The label that a person wrote in place of a type.'),
  metadata: jsonObject.optional(),
  in_text: z
    .literal(true)
    .optional()
    .describe('Whether it is text of the file outside of entries: it has no metadata, and no date outside of a day.'),
});
/** One memory as callers see it. */
export type MemoryEntry = DeepReadonly<z.output<typeof entrySchema>>;

const ownerField = {
  user_id: z.string().optional().describe('Whose workspace it is (AGENT_MEMORY_USER_ID).'),
};

/** A page of memories, newest first. */
export const entryPageSchema = z.object({ items: z.array(entrySchema), total: z.number().int(), ...ownerField });
/** One page of entries. */
export type EntryPage = DeepReadonly<z.output<typeof entryPageSchema>>;

/** What a search finds, best first. */
export const searchAnswerSchema = z.object({
  items: z.array(
    z.object({
      entry: entrySchema,
      score: scoreSchema.describe('0.7 × vector_score + 0.3 × text_score.'),
      relevance: scoreSchema.describe(
        'How sure it is that the entry answers, 0 to 1, which hits are ordered by; the same in every store.',
      ),
      vector_score: scoreSchema,
      text_score: scoreSchema.describe('How well its words fit, next to the entry whose words fit best.'),
    }),
  ),
  query: z.string(),
  total: z.number().int(),
  nearest_score: scoreSchema.optional().describe('Where nothing fits: how relevant the best entry was.'),
  ...ownerField,
});
/** What is found for a query. */
export type SearchAnswer = DeepReadonly<z.output<typeof searchAnswerSchema>>;
/** An entry that was found. */
export type EntryHit = SearchAnswer['items'][number];

/** The log of a day. */
export const dailyLogSchema = z.object({
  date: z.string(),
  file_path: z.string(),
  entries: texts.describe('The ids of its entries, in the order of the file.'),
  items: z.array(entrySchema),
  summary: z.string().nullable(),
  created_at: z.string(),
});
/** The log of a day. */
export type DailyLog = DeepReadonly<z.output<typeof dailyLogSchema>>;

/** What became of a deletion. */
export const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true), ...consequencesField });
/** What became of a deletion. */
export type Deleted = DeepReadonly<z.output<typeof deletedSchema>>;

/** A loaded context, and what it is made of. */
export const contextAnswerSchema = z.object({
  context: z.string(),
  tokens: z.number().int(),
  token_budget: z.number().int(),
  sections: z.array(
    z.object({
      name: z.enum(sectionNames),
      source_files: texts,
      tokens: z.number().int(),
      entries: texts.describe('The ids of the entries in it.'),
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
        reason: z.enum(['budget', 'session', 'not_asked', 'unreadable']),
        entries: texts,
        lines: z.number().int().describe('How many lines that are no entries.'),
        file: z.string().optional().describe('The file that cannot be read.'),
        message: z.string().optional().describe('Why it cannot be read.'),
      }),
    )
    .describe('What is not in it, and why.'),
  withheld: withheldSchema.optional(),
  hint: z.string().optional().describe('What to do first, where there is nothing to load.'),
});
/** The context of a prompt. */
export type LoadedContext = DeepReadonly<z.output<typeof contextAnswerSchema>>;
/** A part of a context. */
export type ContextSection = LoadedContext['sections'][number];
/** One thing that a context says. */
export type ContextLine = NonNullable<LoadedContext['lines']>[number];
/** What is not in a context. */
export type LeftOut = LoadedContext['left_out'][number];

/** Where something was read; null when the file does not exist. */
const readFromFields = { file_path: z.string(), last_modified: z.string().nullable() };
const spiritFields = { role: z.string(), personality: z.string(), values: texts, behavior_rules: texts };
const ownerFields = {
  name: z.string(),
  age: z.number().int().nullable(),
  occupation: z.string().nullable(),
  interests: texts,
  goals: texts,
  preferences: z.record(z.string(), z.union([z.string(), z.literal(true)])),
};
/** A tool as TOOLS.md describes it. */
export const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonObject,
  enabled: z.boolean(),
  category: z.string(),
});

/** SPIRIT.md as data. */
export const spiritSchema = z.object({ ...spiritFields, ...readFromFields });
/** OWNER.md as data. */
export const ownerSchema = z.object({ ...ownerFields, ...readFromFields });
/** Who the agent is. */
export type SpiritConfig = Omit<Spirit, keyof typeof readFromFields>;
/** Whom the agent serves. */
export type OwnerProfile = Omit<Owner, keyof typeof readFromFields>;
/** Who the agent is, and where that was read. */
export type Spirit = DeepReadonly<z.output<typeof spiritSchema>>;
/** Whom the agent serves, and where that was read. */
export type Owner = DeepReadonly<z.output<typeof ownerSchema>>;
/** A tool as TOOLS.md describes it; `parameters` is a JSON Schema. */
export type ToolDefinition = DeepReadonly<z.output<typeof toolSchema>>;

/** Which files there are, and what is still empty. */
export const statusSchema = z.object({
  initialized: z.boolean(),
  files: z.array(z.object({ path: z.string(), exists: z.boolean() })),
  missing: texts.describe('Required fields that are empty.'),
  unreadable: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .describe('Files that are there and cannot be read, and why.'),
});
/** Which files there are, and whether they say what they have to. */
export type IdentityStatus = DeepReadonly<z.output<typeof statusSchema>>;
/** What the making of the files came to. */
export const initSchema = statusSchema.extend({ created: texts });
/** What the making of the files came to. */
export type Initialized = DeepReadonly<z.output<typeof initSchema>>;

/** The whole identity. */
export const identitySchema = z.object({
  spirit: spiritSchema,
  owner: ownerSchema,
  tools: z.array(toolSchema),
  status: statusSchema,
});
/** Who the agent is, whom it serves, what it can use. */
export type Identity = DeepReadonly<z.output<typeof identitySchema>>;

/** The summary that was written. */
export const summarySchema = z.object({
  date: z.string(),
  file_path: z.string(),
  summary: z.string(),
  made_by: z.enum(['model', 'rules']),
});
/** The summary that was written, and whether the model made it or rules that only choose among the entries. */
export type DailySummary = DeepReadonly<z.output<typeof summarySchema>>;

/** What was archived, or would be. */
export const archiveReportSchema = z.object({
  dry_run: z.boolean(),
  before: z.string(),
  archived: z.number().int(),
  items: z.array(
    entrySchema
      .pick({ id: true, date: true, content_type: true, source_file: true })
      .extend({ importance: z.number() }),
  ),
});
/** What was archived, or would be. */
export type ArchiveReport = DeepReadonly<z.output<typeof archiveReportSchema>>;

/** What a comparison of all files with the index came to. */
export const syncSchema = z.object({ files: z.number().int(), changed: z.number().int(), removed: z.number().int() });
/** What a comparison of all files with the index came to. */
export type SyncReport = DeepReadonly<z.output<typeof syncSchema>>;
/** What making the whole index again came to. */
export const rebuiltSchema = syncSchema.extend({ entries: z.number().int() });
/** What making the whole index again came to. */
export type Rebuilt = DeepReadonly<z.output<typeof rebuiltSchema>>;
