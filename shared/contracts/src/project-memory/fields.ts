import { z } from 'zod';
import { noteTypes } from '../project-notes.ts';
import { identifier } from '../values/identifiers.ts';

/** What a memory is about: a label, and no border. What replaces what is decided across all five. */
export const contentTypes = noteTypes;

/** One of {@link contentTypes}. */
export type ContentType = (typeof contentTypes)[number];

/** Reads a content type. */
export const contentTypeSchema = z
  .enum(contentTypes)
  .describe(
    'requirement: needs and limits; plan: schedule and milestones; development: design and code; testing: tests and checks; insight: lessons and decisions.',
  );

/** What a memory may be to another one. */
export const relations = ['relates_to', 'depends_on', 'implements', 'tests', 'explains', 'contradicts'] as const;

/** One of {@link relations}. */
export type Relation = (typeof relations)[number];

/** What becomes of two memories on one subject. */
export const arbitrationActions = ['REPLACE', 'KEEP_BOTH', 'SKIP'] as const;

/** One of {@link arbitrationActions}. */
export type ArbitrationAction = (typeof arbitrationActions)[number];

/** What a search had to do without, since it could not be used: the vector of the query, the reranker that is set. */
export const missingParts = ['vectors', 'reranker'] as const;
/** One of {@link missingParts}. */
export type MissingPart = (typeof missingParts)[number];

/** Reads the id of a memory. */
export const memoryIdSchema = z.string().regex(/^mem_[0-9A-Za-z_-]{1,64}$/, 'must be an id such as mem_1f0c');

/** How a caller names a project. */
const projectFields = {
  project_key: identifier('What the project is called on every machine; without it the name is.').optional(),
  project_name: identifier('The project, as people call it.').optional(),
};

/** Where a memory comes from. */
const originFields = {
  machine_name: identifier('The machine that the memory comes from.').optional(),
  project_path: z
    .string()
    .min(1, 'must be 1 to 4096 characters')
    .max(4_096, 'must be 1 to 4096 characters')
    .refine((path) => !/[\p{Cc}\p{Cs}]/u.test(path), 'must not contain control characters or lone surrogates')
    .describe('The folder of the project on that machine.')
    .optional(),
};

const countCharacters = (text: string): number => [...text].length;

/** The owner, where a caller names one. */
export const ownerFields = { owner_id: identifier("Whose memories; the server's own owner without it.").optional() };

/** Which projects a reading is about. */
export const selectionFields = { ...ownerFields, ...projectFields, project_path: originFields.project_path };

const TIME = 'must be a Unix time';
const unixTime = z.number(TIME).positive(TIME).max(1e19, TIME);

/** A past time whose state is read. */
export const asOfField = {
  as_of: unixTime
    .describe('Memories as they were at this Unix time (s, ms, µs or ns); as they are without it.')
    .optional(),
};

/** One memory to take in. */
export const ingestFields = {
  ...ownerFields,
  ...projectFields,
  ...originFields,
  content_type: contentTypeSchema,
  content: z.string().describe('The memory, in Markdown or plain text: at most 1 MB.'),
  ts: unixTime.describe('When it happened, in Unix time (s, ms, µs or ns); now without it.').optional(),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be a time in ISO 8601, such as 2026-03-01T00:00:00Z' })
    .describe('When it is forgotten by itself, with its versions, ISO 8601.')
    .optional(),
  replaces: memoryIdSchema
    .describe(
      'The id of a memory of the project whose place this one takes, such as one of the candidates of an answer.',
    )
    .optional(),
};

const QUERY = 'must be 2 to 1000 characters';

/** What is looked for. */
export const queryField = z
  .string()
  .refine((text) => countCharacters(text.trim()) >= 2 && countCharacters(text) <= 1_000, QUERY)
  .meta({ minLength: 2, maxLength: 1_000 })
  .describe('What is looked for, in words or as a question: 2 to 1000 characters.');

const SHARE = 'must be a number from 0 to 1';
const MIN_SCORE = 'What is less relevant is left out.';

/** From which score on memories are returned. */
export const minScoreField = { min_score: z.number(SHARE).min(0, SHARE).max(1, SHARE).describe(MIN_SCORE).optional() };

/** Which types are looked for. */
export const scopeField = z
  .enum(['all', ...contentTypes])
  .default('all')
  .describe('One content type, or all.');

type Range = readonly [least: number, most: number];

const toProblem = ([least, most]: Range): string => `must be a whole number from ${least} to ${most}`;

/** A whole number that a caller gives. */
export function count(range: Range, description: string) {
  const problem = toProblem(range);
  return z.number(problem).int(problem).min(range[0], problem).max(range[1], problem).describe(description);
}

/** The bounds of numbers that callers give. */
export const bounds = { limit: [1, 100], days: [1, 3_650], offset: [0, 1_000_000], briefTokens: [100, 4_000] } as const;

/** The id of a memory. */
export const memoryId = memoryIdSchema.describe('The id of a memory, as a search tells it.');

/** Which arbitration. */
export const arbitrationId = count(
  [1, Number.MAX_SAFE_INTEGER],
  'The number of the arbitration, as the list of arbitrations tells it.',
);

const relation = z
  .enum(relations)
  .describe('What the first memory is to the second: it implements, tests, explains or contradicts it, and so on.');

const ends = {
  from_id: memoryId.describe('The memory that the link begins at.'),
  to_id: memoryId.describe('The memory that it leads to.'),
};

/** A link to draw. */
export const linkFields = { ...ownerFields, ...ends, relation: relation.default('relates_to') };

/** Links to remove. */
export const unlinkFields = { ...ownerFields, ...ends, relation: relation.optional() };

/** Whether related memories are shown. */
export const relatedField = {
  include_related: z
    .boolean('must be true or false')
    .default(false)
    .describe('Whether to show the memories that each one is related with.'),
};

/** Memories that have to do with one. */
export const relatedSchema = z.array(
  z.object({
    id: z.string(),
    relation: z.enum([...relations, 'similar']).describe('similar: near by meaning, and not linked.'),
    direction: z.enum(['outgoing', 'incoming', 'none']).describe('outgoing: the link begins at this memory.'),
    content_type: contentTypeSchema,
    summary: z.string(),
  }),
);

/** The same in an answer that shows them on request. */
export const relatedAnswer = relatedSchema.optional().describe('With include_related alone.');
/** Memories that have to do with one. */
export type RelatedMemories = z.input<typeof relatedSchema>;
