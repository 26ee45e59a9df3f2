import { z } from 'zod';
import { MAX_CONTENT_LENGTH } from '../documents.ts';
import { withheldSchema } from '../prompts.ts';
import { TRUST_CLASSES } from '../trust.ts';
import { identifier, userIdSchema } from '../values/identifiers.ts';

/** The kinds of memory that a chat works with, in the order in which they are listed. */
export const memoryKinds = ['fact', 'event', 'note', 'typed', 'entity', 'agent', 'project'] as const;
/** One of {@link memoryKinds}. */
export type MemoryKind = (typeof memoryKinds)[number];

/** The kinds of memory that a caller can ask for. */
export const filedKinds = ['fact', 'event', 'note'] as const;
/** One of {@link filedKinds}. */
export type FiledKind = (typeof filedKinds)[number];

/** The user: hidden from a model whose server or key is for one. */
const userField = { user_id: userIdSchema };

/** The project, where a call names one. */
const projectField = { project: identifier('Also this project.').optional() };

/** Which memories are listed or searched. */
const narrowingFields = {
  kind: z.enum(memoryKinds).optional(),
  tag: z.string().min(1).max(200).optional(),
  time_range: z.string().max(100).optional().describe('last_week or 2026-03-01..2026-03-09.'),
};

/** The id of a memory. */
const idField = { id: z.string().min(3).max(1_024).describe('As an answer gave it.') };

/** A text to remember. */
const textField = {
  text: z
    .string()
    .max(MAX_CONTENT_LENGTH, `must be at most ${MAX_CONTENT_LENGTH} characters`)
    .refine((text) => text.trim() !== '', 'must not be empty'),
};

/** A time; its pattern, which a schema of JSON would have, costs a model more tokens than all other fields together. */
const endSchema = z
  .string()
  .refine(
    (text) => z.iso.datetime({ offset: true }).safeParse(text).success,
    'must be a time in ISO 8601, such as 2026-03-01T00:00:00Z',
  );

/** The stores that could not be reached. */
const notAskedField = { not_asked: z.array(z.object({ store: z.string(), reason: z.string() })) };

/** A memory in answers. */
const memoryFields = { id: z.string(), text: z.string(), store: z.string(), time: z.string().optional() };

/** Every store has a place in a cursor, as long as its own cursors: some 2,000 characters. */
const MAX_CURSOR = 16_384;

/** What ChatGPT's connectors cite. Source: OpenAI, building MCP servers for ChatGPT and API integrations, tools search and fetch. */
const citedFields = { id: z.string(), title: z.string(), url: z.string() };

/** The operations of the profile `connector`, which reads alone. */
export const connectorOperations = {
  search: {
    input: z.object({
      query: z
        .string()
        .max(1_000, 'must be at most 1000 characters')
        .refine((text) => text.trim() !== '', 'must not be empty')
        .describe('What to look for, in the words of a question.'),
      ...userField,
    }),
    output: z.object({ results: z.array(z.object(citedFields)) }),
  },
  fetch: {
    input: z.object({ id: z.string().min(3).max(1_024).describe('As search gave it.'), ...userField }),
    output: z.object({ ...citedFields, text: z.string(), metadata: z.record(z.string(), z.string()) }),
  },
};

/** The operations that a chat is offered. */
export const chatOperations = {
  forget: {
    input: z.object({ ...idField, dry_run: z.boolean().optional(), ...userField }),
    output: z.object({
      id: z.string(),
      store: z.string(),
      message: z.string(),
      consequences: z.array(z.string()).optional(),
    }),
  },
  get_memory: {
    input: z.object({ ...idField, ...userField }),
    output: z.object({
      ...memoryFields,
      original: z.string().optional().describe('What had been read.'),
      details: z.looseObject({}).describe('As the store has it: its fields are those of the store.'),
    }),
  },
  list_memories: {
    input: z.object({
      limit: z.int().min(1).max(100).default(20),
      order: z.literal('newest').optional(),
      ...narrowingFields,
      cursor: z.string().max(MAX_CURSOR).optional().describe('next_cursor of the page before.'),
      ...projectField,
      ...userField,
    }),
    output: z.object({
      memories: z.array(z.object(memoryFields)),
      next_cursor: z.string().optional(),
      total: z.number().optional(),
      ...notAskedField,
    }),
  },
  recall: {
    input: z.object({
      query: z
        .string()
        .max(1_000, 'must be at most 1000 characters')
        .refine((text) => text.trim() !== '', 'must not be empty'),
      limit: z.int().min(1).max(50).default(10),
      ...narrowingFields,
      ...projectField,
      ...userField,
    }),
    output: z.object({
      memories: z.array(
        z.object({
          ...memoryFields,
          score: z.number(),
          relevance: z.number(),
        }),
      ),
      ...notAskedField,
      instructions_left_out: z.number().optional(),
      withheld: withheldSchema.optional(),
    }),
  },
  remember: {
    input: z.object({
      ...textField,
      kind: z.enum(filedKinds).optional().describe('Else: fact for "I live in …", event with a day, or note.'),
      key: identifier('Of a fact: city.').optional(),
      day: z.string().max(40).optional().describe('Of an event: yesterday.'),
      said_by: z.enum(TRUST_CLASSES).optional(),
      expires_at: endSchema.optional().describe('When to forget it, ISO 8601.'),
      ...projectField,
      ...userField,
    }),
    output: z.object({ id: z.string(), kind: z.enum(memoryKinds), store: z.string(), message: z.string() }),
  },
  update_memory: {
    input: z.object({ ...idField, ...textField, dry_run: z.boolean().optional(), ...userField }),
    output: z.object({
      id: z.string(),
      store: z.string(),
      message: z.string(),
      consequences: z.array(z.string()).optional(),
    }),
  },
} as const;
