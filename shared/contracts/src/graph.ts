import { z } from 'zod';
import { derivedFromSchema } from './derivations.ts';
import type { DeepReadonly } from './values/deep-readonly.ts';
import { identifier, MAX_IDENTIFIER_LENGTH } from './values/identifiers.ts';
import { isWellFormed } from './values/json.ts';

/** The tools by which personal memory takes in another program's graph, and gives it up again. */
export const ADD_GRAPH = 'add_graph';
export const REMOVE_IMPORT = 'remove_import';

/** Most entities, and most relations, of one call. */
export const MAX_GRAPH_PART = 500;
/** Longest observation, in UTF-16 code units. */
export const MAX_OBSERVATION_LENGTH = 20_000;
/** Most observations of one entity. */
export const MAX_OBSERVATIONS = 10_000;

/** Which import something came with. */
export const importIdSchema = identifier('The import, as "contextloom imports" lists it.');

/** The name of an entity or of a relation: one line. */
export const graphNameSchema = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(MAX_IDENTIFIER_LENGTH, `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters`)
  .refine((text) => !/\p{Cc}/u.test(text) && isWellFormed(text), 'must not contain control characters');

/** What a graph tells of an entity. */
export const observationSchema = z
  .string()
  .max(MAX_OBSERVATION_LENGTH, `must be 1 to ${MAX_OBSERVATION_LENGTH} characters`)
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine(isWellFormed, 'contains a lone surrogate');

const graphEntitySchema = z.object({
  name: graphNameSchema.describe('What it is called.'),
  kind: z.string().max(MAX_IDENTIFIER_LENGTH).optional().describe('What it is, in any word, such as person.'),
  observations: z.array(observationSchema).max(MAX_OBSERVATIONS).default([]).describe('What is known of it.'),
  derived_from: derivedFromSchema.optional(),
});

const graphRelationSchema = z.object({
  from: graphNameSchema.describe('The name of the first entity.'),
  to: graphNameSchema.describe('The name of the second.'),
  relation_type: graphNameSchema.describe('What the first is to the second, such as works_at.'),
  derived_from: derivedFromSchema.optional(),
});

/** An entity of another program's graph; `kind` is that program's word for what it is. */
export type GraphEntity = DeepReadonly<z.output<typeof graphEntitySchema>>;
/** A relation of another program's graph; its ends are named. */
export type GraphRelation = DeepReadonly<z.output<typeof graphRelationSchema>>;

const MOST = `must be at most ${MAX_GRAPH_PART} in one call`;

/** A part of a graph, and the import that it comes with. */
export const addGraphRequestSchema = z.object({
  import_id: importIdSchema,
  entities: z.array(graphEntitySchema).max(MAX_GRAPH_PART, MOST).default([]).describe('Entities.'),
  relations: z.array(graphRelationSchema).max(MAX_GRAPH_PART, MOST).default([]).describe('Relations.'),
});

/** One of {@link addGraphRequestSchema}. */
export type GraphPart = DeepReadonly<z.output<typeof addGraphRequestSchema>>;

/** How much of a graph there is. */
export const graphCountsSchema = z.object({
  entities: z.int().min(0),
  observations: z.int().min(0),
  relations: z.int().min(0),
});
/** One of {@link graphCountsSchema}. */
export type GraphCounts = DeepReadonly<z.output<typeof graphCountsSchema>>;

/** What was added of a graph, and what was there already. */
export const addedGraphSchema = z.object({ added: graphCountsSchema, already_known: graphCountsSchema });
/** One of {@link addedGraphSchema}. */
export type AddedGraph = DeepReadonly<z.output<typeof addedGraphSchema>>;

/** What taking an import back removed, and what had to stay. */
export const removedImportSchema = z.object({
  removed: graphCountsSchema,
  kept: z
    .array(z.object({ entity_id: z.int(), name: z.string().nullable(), why: z.string() }))
    .describe('Entities of the import that stay, since another import has them too or something builds on them.'),
});
/** One of {@link removedImportSchema}. */
export type RemovedImport = DeepReadonly<z.output<typeof removedImportSchema>>;
