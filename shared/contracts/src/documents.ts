import { z } from 'zod';
import { consequencesField } from './derivations.ts';
import { explanationSchema, snippetSchema } from './explanations.ts';
import { identifier, userIdSchema } from './values/identifiers.ts';
import { anyObjectJsonSchema, freeFormObject, isWellFormed } from './values/json.ts';

/** Longest document, in UTF-16 code units. */
export const MAX_CONTENT_LENGTH = 1_000_000;
/** Longest query, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 100_000;
/** Most keys of a document. */
export const MAX_KEYS = 64;
/** Longest key, in UTF-16 code units. */
export const MAX_KEY_LENGTH = 2_000;
/** Most documents in one batch. */
export const MAX_BATCH = 1_000;
/** Most tags and metadata keys of one batch, all documents together: each becomes rows of an index, in one transaction. */
export const MAX_BATCH_VALUES = 50_000;

const contentSchema = z
  .string()
  .max(MAX_CONTENT_LENGTH, `must be at most ${MAX_CONTENT_LENGTH} characters`)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(isWellFormed, 'contains a lone surrogate')
  .describe('The text to remember and find again.');

const tagsSchema = z.array(identifier('A tag.')).max(64, 'must be at most 64 tags');

const keySchema = z
  .string()
  .max(MAX_KEY_LENGTH, `must be at most ${MAX_KEY_LENGTH} characters`)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(isWellFormed, 'contains a lone surrogate');

const keysSchema = z.array(keySchema).max(MAX_KEYS, `must be at most ${MAX_KEYS} keys`);

/** A document's free-form metadata. `user_id` decides who sees it; `importance`, `created_at` and `occurred_at` order it. */
export const metadataSchema = freeFormObject(
  'Free-form data kept with the document. "user_id" makes it visible to that user alone.',
);

/** What a condition can ask of a metadata key; `shared/retrieval` says what each means. */
export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin'] as const;
/** What a condition can ask of a metadata key. */
export type FilterOperator = (typeof filterOperators)[number];

/** Conditions on metadata: `{"key": value}`, `{"key": {"gte": 1}}` or `{"key": {"$gte": 1}}`, `$and`, `$or`. */
export const metadataFilterSchema = freeFormObject(
  `Conditions on metadata: equality per key, or operators ${filterOperators.join(', ')} (with or without "$"), and $and/$or lists.`,
);

/** Every document has an address `/documents/<id>`; URLs swallow the segments "." and "..", however they are encoded. */
const documentIdSchema = identifier('Id of the document; the same id again replaces the whole document.').refine(
  (id) => id !== '.' && id !== '..',
  'must not be "." or ".."',
);

const timeSchema = z.iso.datetime({ offset: true, error: 'must be a time in ISO 8601, such as 2026-03-01T00:00:00Z' });

const expiryField = {
  expires_at: timeSchema
    .optional()
    .describe(
      'When it is forgotten by itself, ISO 8601: from then on nothing shows it. Kept in metadata as forget_at.',
    ),
};

/** A document as a caller gives it. */
export const documentInputSchema = z.object({
  content: contentSchema,
  doc_id: documentIdSchema.optional(),
  tags: tagsSchema.default([]).describe('Words to filter by.'),
  metadata: metadataSchema.default({}),
  keys: keysSchema.optional().describe('Further texts by which the document is found; no search shows them.'),
  ...expiryField,
  if_absent: z.boolean().optional().describe('Refuse it as a conflict when its doc_id exists, rather than replace it.'),
  retract: z
    .boolean()
    .optional()
    .describe(
      'Whether other words in the place of what was read in a conversation are a correction, which later readings keep (true).',
    ),
});
/** A document as a caller gives it, after parsing. */
export type DocumentInput = z.output<typeof documentInputSchema>;

/** A document as every answer shows it. */
export const documentSchema = z.object({
  id: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  metadata: metadataSchema.meta({ ...anyObjectJsonSchema, description: 'Free-form data kept with the document.' }),
});
/** A document as every answer shows it. */
export type Document = z.output<typeof documentSchema>;

/** A document with what the store knows about it. Times are ISO 8601 UTC; `version` grows by one with each change. */
export const storedDocumentSchema = documentSchema.extend({
  created_at: z.string().describe('When it was first stored, ISO 8601 UTC.'),
  updated_at: z.string().describe('When it was last changed, ISO 8601 UTC.'),
  version: z.number().int().describe('Grows by one with each change.'),
  keys: z.array(z.string()).optional().describe('Further texts by which it is found.'),
});
/** A document with what the store knows about it. */
export type StoredDocument = z.output<typeof storedDocumentSchema>;

/** A document as an export has it, which is to be stored with the same id, times and version. */
export const archivedDocumentSchema = z.object({
  id: documentIdSchema,
  content: contentSchema,
  tags: tagsSchema,
  metadata: metadataSchema,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int().min(1),
  keys: keysSchema.optional(),
});

const filterFields = {
  tags: tagsSchema.optional().describe('Only documents with every one of these tags.'),
  tags_all: tagsSchema.optional().describe('The same as "tags".'),
  tags_any: tagsSchema.optional().describe('Only documents with at least one of these tags.'),
  tags_none: tagsSchema.optional().describe('Only documents with none of these tags.'),
  without_keys: tagsSchema.optional().describe('Only documents whose metadata has none of these keys.'),
  metadata_filter: metadataFilterSchema.optional(),
  user_id: userIdSchema.optional().describe('Short for metadata_filter {"user_id": …}.'),
};

/** The orders of search results: best first, or by when the documents happened (`occurred_at`, else `created_at`). */
export const searchSorts = ['relevance', 'newest', 'oldest'] as const;
/** The orders of a listing: those of a search, or last changed first. */
export const listSorts = [...searchSorts, 'updated'] as const;
/** The order of a listing; `relevance` is the most important first, then the newest. */
export type ListSort = (typeof listSorts)[number];

/** A search: what to look for, and what may be found. */
export const searchRequestSchema = z.object({
  query: z
    .string()
    .max(MAX_QUERY_LENGTH, `must be at most ${MAX_QUERY_LENGTH} characters`)
    .describe('What to look for; empty lists what the filter leaves, most important and newest first.'),
  ...filterFields,
  priority_tags: tagsSchema.optional().describe('Documents with one of these tags move up in the order.'),
  top_k: z.number().int().min(1).max(100).default(5).describe('Most results, 1 to 100.'),
  min_score: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Leaves out what has a relevance below this, 0 to 1; nothing is left out without it.'),
  sort: z
    .enum(searchSorts)
    .optional()
    .describe(
      'The order of the results: relevance (default), or by time (occurred_at, else created_at) newest or oldest first. A query finds the same results in each.',
    ),
  explain: z
    .boolean()
    .optional()
    .describe('Whether each result tells how its score came about, and shows its best passage.'),
});
/** A search, after parsing. */
export type SearchRequest = z.output<typeof searchRequestSchema>;

/**
 * One search result, flat and nested at once: two generations of clients read it. `score` is in [0,1], higher is better;
 * `explain` and `snippet` are there when the search asked for an explanation.
 */
export const searchResultSchema = documentSchema.extend({
  score: z.number().describe('0 to 1, higher is better.'),
  relevance: z
    .number()
    .optional()
    .describe(
      'How sure it is that this answers the query, 0 to 1: of hits at .7 about 70 % do. The same in every search.',
    ),
  document: documentSchema,
  explain: explanationSchema.optional(),
  snippet: snippetSchema.optional(),
});
/** One search result. */
export type SearchResult = z.output<typeof searchResultSchema>;

/** The answer to a search, best first. */
export const searchResponseSchema = z.object({
  success: z.literal(true),
  results: z.array(searchResultSchema),
  confidence: z
    .number()
    .optional()
    .describe('How sure it is that any of what was found answers the query, 0 to 1; documents beyond top_k count too.'),
  nearest_score: z
    .number()
    .optional()
    .describe('Where nothing is returned: the relevance of the best document, 0 to 1.'),
});

/** A listing of what a filter leaves, page by page. */
export const listRequestSchema = z.object({
  ...filterFields,
  sort: z
    .enum(listSorts)
    .optional()
    .describe(
      'The order: relevance (default: most important, then newest), newest or oldest first by time (occurred_at, else created_at), or updated (last changed first).',
    ),
  since: timeSchema.optional().describe('Only documents whose time (occurred_at, else created_at) is not before this.'),
  until: timeSchema.optional().describe('Only documents whose time is before this.'),
  limit: z.number().int().min(1).max(200).default(50).describe('How many documents a page, 1 to 200.'),
  cursor: z.string().max(2_048).optional().describe('The "next_cursor" of the page before, which had the same sort.'),
});
/** A listing request, after parsing. */
export type ListRequest = z.output<typeof listRequestSchema>;

/** One page of a listing; `total` counts every document under the filter. */
export const listResponseSchema = z.object({
  success: z.literal(true),
  documents: z.array(storedDocumentSchema),
  total: z.number().int().describe('How many documents the filter leaves, on all pages.'),
  next_cursor: z.string().optional().describe('Asks for the next page; absent on the last.'),
});
/** One page of a listing. */
export type ListResponse = z.output<typeof listResponseSchema>;

/** A change of one document: fields given are replaced; `metadata` is merged key by key, `null` removes a key. */
export const documentPatchSchema = z.object({
  content: contentSchema.optional(),
  tags: tagsSchema.optional().describe('The tags that replace those it has.'),
  metadata: metadataSchema.optional().describe('Keys to set; a key given as null is removed.'),
  keys: keysSchema
    .optional()
    .describe('The texts to find it by that replace those it has; an empty list removes them.'),
  ...expiryField,
});
/** A change of one document, after parsing. */
export type DocumentPatch = z.output<typeof documentPatchSchema>;

/** The answer to storing one document. */
export const addResponseSchema = z.object({ success: z.literal(true), document_id: z.string(), message: z.string() });
/** The answer to storing several: all of them, or an error and none. */
export const addManyResponseSchema = z.object({
  success: z.literal(true),
  document_ids: z.array(z.string()),
  message: z.string(),
});
/** The answer to asking for one document. */
export const documentResponseSchema = z.object({ success: z.literal(true), document: storedDocumentSchema });
/** The answer to a change of one: the document as it is now, and what followed from the change. */
export const changedResponseSchema = documentResponseSchema.extend(consequencesField);
/** The answer to an order with nothing else to tell. */
export const doneResponseSchema = z.object({ success: z.literal(true), message: z.string() });

/** The answer to a deletion, and what followed from it. */
export const deletedResponseSchema = doneResponseSchema.extend(consequencesField);

/** The answer to a rebuild of the index: how many documents it holds now. */
export const rebuildResponseSchema = doneResponseSchema.extend({ document_count: z.number().int() });
/** How far an index is that is made again after an update of the program; searches use the earlier one meanwhile. */
const rebuildingSchema = z.object({ documents: z.number().int(), done: z.number().int() }).optional();
/** Whether a document store can be used now, and in our words why not. */
export const storeHealthSchema = z.object({
  kind: z.string(),
  status: z.enum(['running', 'unavailable']),
  reason: z.string().optional(),
  rebuilding: rebuildingSchema,
});
/** Whether a document store can be used now. */
export type StoreHealth = Readonly<z.output<typeof storeHealthSchema>>;
/** The answer of a service that is up: degraded when its store cannot be used. */
export const healthResponseSchema = z.object({
  success: z.boolean(),
  status: z.enum(['running', 'degraded']),
  store: storeHealthSchema,
  error: z.object({ code: z.literal('unavailable'), message: z.string() }).optional(),
  detail: z.string().optional(),
});

/** Counts of the documents that a call asks about, and their tags. */
export const statsResponseSchema = z.object({
  success: z.literal(true),
  stats: z.object({
    document_count: z.number().int(),
    vector_count: z.number().int(),
    /** Documents that wait for their vectors, found by words until then; absent when none does. */
    waiting_count: z.number().int().optional(),
    tag_count: z.number().int(),
    tags: z.array(z.string()),
    status: z.literal('running'),
    rebuilding: rebuildingSchema,
  }),
});
/** Counts of documents, and their tags. */
export type Stats = z.output<typeof statsResponseSchema>['stats'];
