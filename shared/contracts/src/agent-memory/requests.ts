import { z } from 'zod';
import type { DeepReadonly } from '../values/deep-readonly.ts';
import { dateSchema } from './dates.ts';
import { contentSchema, contentTypeSchema, labelSchema, MAX_CONTENT_LENGTH, metadataSchema } from './entry.ts';

/** What operations take. */

const sessions = ['owner', 'shared'] as const;
/** Who asks: the owner alone, or a session that others see, which never sees MEMORY.md. */
export type Session = (typeof sessions)[number];

/** The field that names who asks. */
export const sessionField = {
  session: z
    .enum(sessions)
    .default('owner')
    .describe('shared: others than the owner read along; MEMORY.md is left out.'),
};

/** One entry, named by its id. */
export const oneEntrySchema = z.object({
  id: z.string().min(1, 'must not be empty').max(100, 'must be at most 100 characters').describe('The id of an entry.'),
  ...sessionField,
});

const selectionFields = {
  content_type: contentTypeSchema.optional(),
  start_date: dateSchema.optional().describe('From this day on, such as 2026-02-14.'),
  end_date: dateSchema.optional().describe('Up to this day.'),
};
const momentSchema = z.iso
  .datetime({ offset: true, error: 'must be a time in ISO 8601, such as 2026-03-01T00:00:00Z' })
  .transform((time) => new Date(time).toISOString());
const querySchema = z.string().max(10_000, 'must be at most 10000 characters');
const limitSchema = (usual: number) => z.coerce.number().int().min(1).max(100).default(usual);

/** Adding an entry. */
export const addSchema = z.object({
  content: contentSchema.describe(`The text, 1 to ${MAX_CONTENT_LENGTH} characters.`),
  content_type: contentTypeSchema.default('manual'),
  metadata: metadataSchema.optional(),
  long_term: z.boolean().default(false).describe("In MEMORY.md instead of today's log."),
  expires_at: momentSchema
    .optional()
    .describe('When it is forgotten by itself, ISO 8601. Kept in metadata as forget_at.'),
  label: labelSchema.optional().describe('What it is called in the place of its type, such as 重要约定.'),
  ...sessionField,
});
type Add = z.output<typeof addSchema>;
/** An entry to be remembered. */
export type AddRequest = DeepReadonly<Partial<Add> & Pick<Add, 'content' | 'session'>>;

/** Changing an entry. */
export const updateSchema = z.object({
  content: contentSchema.optional(),
  content_type: contentTypeSchema.optional(),
  metadata: metadataSchema.optional().describe('Replaces the metadata that is there.'),
  ...sessionField,
});
/** What is to change of an entry. */
export type UpdateRequest = DeepReadonly<z.output<typeof updateSchema>>;

/** A listing, newest first. */
export const listSchema = z.object({
  ...selectionFields,
  since: momentSchema.optional().describe('Written from this moment on, ISO 8601.'),
  until: momentSchema.optional().describe('Written before this moment.'),
  limit: limitSchema(20),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  ...sessionField,
});
/** A selection of entries as callers make it. */
export type ListRequest = DeepReadonly<z.output<typeof listSchema>>;

/** A search. */
export const searchSchema = z.object({
  query: querySchema.refine((text) => text.trim() !== '', 'must not be empty'),
  ...selectionFields,
  limit: limitSchema(10),
  min_score: z.coerce
    .number()
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .optional()
    .describe('What is less relevant is left out.'),
  ...sessionField,
});
/** A search as callers ask for it. */
export type SearchRequest = DeepReadonly<z.output<typeof searchSchema>>;

/** Entries like another one. */
export const similarSchema = oneEntrySchema.extend({ limit: limitSchema(10) });

/** A tool by its name in TOOLS.md. */
export const toolNameSchema = z.string().trim().min(1, 'must not be empty').max(100);
/** Whether a tool is on. */
export const toolSwitchSchema = z.object({ enabled: z.boolean() });

/** The sections of a context, in the order in which they stand in it. */
export const sectionNames = ['persona', 'owner', 'tools', 'daily', 'long_term', 'hits'] as const;
/** One of {@link sectionNames}. */
export type SectionName = (typeof sectionNames)[number];

/** Which context is wanted. */
export const contextSchema = z.object({
  query: querySchema.optional().describe('What the prompt is about; memories for it are added.'),
  ...sessionField,
  include_long_term: z.boolean().default(true),
  days: z.coerce.number().int().min(1).max(31).default(2).describe("Days of logs, today's included."),
  token_budget: z.coerce.number().int().min(100).max(1_000_000).default(4_000),
  sections: z.array(z.enum(sectionNames)).min(1).optional().describe('Which sections; all when absent.'),
  lines: z.boolean().default(false).describe('Also answer line by line, for a gateway that composes prompts.'),
});
/** What a context is wanted for. */
export type ContextRequest = DeepReadonly<z.output<typeof contextSchema>>;

/** Which entries of daily logs leave them. */
export const archiveSchema = z.object({
  older_than_days: z.number().int().min(1).max(100_000).default(365),
  max_importance: z.number().min(0).max(10).default(3),
  dry_run: z.boolean().default(true),
});
/** Which entries of daily logs leave them. */
export type ArchiveRequest = DeepReadonly<z.output<typeof archiveSchema>>;
