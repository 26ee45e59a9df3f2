import { identifier } from '@contextloom/contracts';
import { z } from 'zod';
import { contentTypeSchema, contentTypes } from './domain/content-types.ts';
import { arbitrationActions } from './domain/memory.ts';
import { originFields, projectFields } from './domain/project.ts';

const countCharacters = (text: string): number => [...text].length;

/** The owner, where a caller names one. */
export const ownerFields = { owner_id: identifier("Whose memories; the server's own owner without it.").optional() };

/** Which projects a reading is about. */
export const selectionFields = { ...ownerFields, ...projectFields, project_path: originFields.project_path };

const TIME = 'must be a Unix time';
const unixTime = z.number(TIME).positive(TIME).max(1e19, TIME);
const AS_OF = 'Memories as they were at this Unix time (s, ms, µs or ns); as they are without it.';

/** A past time whose state is read, of a tool's arguments. */
export const asOfField = { as_of: unixTime.describe(AS_OF).optional() };

/** A past time whose state is read, of a query string. */
export const asOfText = { as_of: z.coerce.number<string>(TIME).pipe(unixTime).describe(AS_OF).optional() };

/** One memory to take in. */
export const ingestFields = {
  ...ownerFields,
  ...projectFields,
  ...originFields,
  content_type: contentTypeSchema,
  content: z.string().describe('The memory, in Markdown or plain text: at most 1 MB.'),
  ts: unixTime.describe('When it happened, in Unix time (s, ms, µs or ns); now without it.').optional(),
};

/** What became of a memory. */
export const ingestAnswerSchema = z.object({
  id: z.string().describe('The memory; of a skipped one, that which says the same.'),
  status: z.enum(['created', 'updated', 'skipped']),
  ts: z.number().describe('Unix seconds.'),
});

const QUERY = 'must be 2 to 1000 characters';

/** What is looked for. */
export const queryField = z
  .string()
  .refine((text) => countCharacters(text.trim()) >= 2 && countCharacters(text) <= 1_000, QUERY)
  .describe('What is looked for, in words or as a question: 2 to 1000 characters.');

/** Which types are looked for. */
export const scopeField = z
  .enum(['all', ...contentTypes])
  .default('all')
  .describe('One content type, or all.');

type Range = readonly [least: number, most: number];

const toProblem = ([least, most]: Range): string => `must be a whole number from ${least} to ${most}`;

/** A whole number of a tool's arguments. */
export function count(range: Range, description: string) {
  const problem = toProblem(range);
  return z.number(problem).int(problem).min(range[0], problem).max(range[1], problem).describe(description);
}

/** A whole number of a query string. */
export function countText(range: Range, description: string) {
  const problem = toProblem(range);
  const number = z.coerce.number<string>(problem).int(problem).min(range[0], problem).max(range[1], problem);
  return number.describe(description);
}

/** The bounds of numbers that callers give. */
export const bounds = { limit: [1, 100], days: [1, 3_650] } as const;

const ID = 'must be an id such as mem_1f0c';

/** The id of a memory. */
export const memoryId = z
  .string()
  .regex(/^mem_[0-9A-Za-z_-]{1,64}$/, ID)
  .describe('The id of a memory, as mem.search tells it.');

/** The first stage's answer. */
export const searchAnswerSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      snippet: z.string().describe('The passage that fits best, at most 200 characters.'),
      content_type: contentTypeSchema,
      score: z.number().describe('0 to 1.'),
      ts: z.number(),
      chunk_index: z.number(),
      total_chunks: z.number(),
    }),
  ),
  metadata: z.object({
    total: z.number(),
    returned: z.number(),
    next_action: z.literal('use_ids_to_call_mem_get'),
  }),
});

/** Whole memories. */
export const getAnswerSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      content_type: contentTypeSchema,
      summary: z.string(),
      tags: z.array(z.string()),
      ts: z.number(),
    }),
  ),
});

const returned = z.object({ returned: z.number() });

/** Memories by time. */
export const timelineAnswerSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      content_type: contentTypeSchema,
      summary: z.string(),
      ts: z.number(),
      project_key: z.string(),
    }),
  ),
  metadata: returned,
});

/** Projects. */
export const projectsAnswerSchema = z.object({
  results: z.array(
    z.object({
      owner_id: z.string(),
      project_key: z.string(),
      machine_name: z.string().nullable(),
      project_path: z.string().nullable(),
      project_name: z.string(),
      memory_count: z.number(),
      latest_ts: z.number().nullable(),
    }),
  ),
  metadata: returned,
});

/** The states of one memory. */
export const versionsAnswerSchema = z.object({
  id: z.string(),
  results: z.array(
    z.object({
      revision: z.number(),
      is_current: z.boolean(),
      content_type: contentTypeSchema,
      content: z.string(),
      summary: z.string(),
      tags: z.array(z.string()),
      ts: z.number(),
      replaced_at: z.string().nullable(),
    }),
  ),
});

/** The log of verdicts. */
export const arbitrationsAnswerSchema = z.object({
  results: z.array(
    z.object({
      arbitration_id: z.number(),
      project_key: z.string(),
      action: z.enum(arbitrationActions),
      candidate_memory_id: z.string().nullable(),
      new_memory_id: z.string().nullable(),
      similarity: z.number(),
      old_summary: z.string(),
      new_summary: z.string(),
      model: z.string().nullable(),
      created_at: z.string(),
      rolled_back_at: z.string().nullable(),
    }),
  ),
  metadata: returned,
});

/** What a rollback did. */
export const rollbackAnswerSchema = z.object({
  arbitration_id: z.number(),
  id: z.string(),
  status: z
    .enum(['restored', 'created'])
    .describe('restored: the state before is present again; created: the skipped text is a memory of its own.'),
});

/** Which arbitration. */
export const arbitrationId = count([1, Number.MAX_SAFE_INTEGER], 'The arbitration, as mem.arbitrations tells it.');
