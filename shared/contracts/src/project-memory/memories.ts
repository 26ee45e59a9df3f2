import { z } from 'zod';
import {
  asOfField,
  bounds,
  contentTypeSchema,
  count,
  ingestFields,
  memoryId,
  minScoreField,
  missingParts,
  ownerFields,
  queryField,
  relatedAnswer,
  relatedField,
  scopeField,
  selectionFields,
} from './fields.ts';

/** The operations about memories. */
export const memoryOperations = {
  'mem.brief': {
    input: z.object({
      ...selectionFields,
      max_tokens: count(bounds.briefTokens, 'Most tokens of the text.').default(400),
      include_items: z
        .boolean('must be true or false')
        .default(false)
        .describe('Whether to list what the text was chosen from, too.'),
    }),
    output: z.object({
      text: z.string().describe('Rules, decisions, what is open and what was done last; empty where nothing is known.'),
      counts: z
        .object({ rule: z.number(), decision: z.number(), open: z.number(), state: z.number() })
        .describe('How many of each hold, also where the text has no room for them.'),
      items: z
        .array(
          z.object({
            kind: z.enum(['rule', 'decision', 'open', 'state']),
            id: z.string().describe('The beginning of the id, by which the memory is read.'),
            ts: z.number(),
            text: z.string(),
            tokens: z.number().describe('Of its line in the text.'),
            expires_at: z.string().optional().describe('When the memory is forgotten by itself.'),
          }),
        )
        .optional()
        .describe('With include_items alone.'),
    }),
  },
  'mem.delete': {
    input: z.object({ ...ownerFields, id: memoryId }),
    output: z.object({ id: z.string(), deleted: z.literal(true) }),
  },
  'mem.get': {
    input: z.object({
      ...ownerFields,
      ids: z
        .array(z.string().max(256, 'must be at most 256 characters'))
        .min(1, 'must have 1 to 20 ids')
        .max(20, 'must have 1 to 20 ids')
        .describe('Ids of memories, 1 to 20.'),
      ...asOfField,
      ...relatedField,
    }),
    output: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          content: z.string(),
          content_type: contentTypeSchema,
          summary: z.string(),
          tags: z.array(z.string()),
          ts: z.number(),
          related: relatedAnswer,
        }),
      ),
    }),
  },
  'mem.ingest_memory': {
    input: z.looseObject(ingestFields),
    output: z.object({
      id: z.string().describe('The memory; of a skipped one, that which says the same.'),
      status: z.enum(['created', 'updated', 'skipped']),
      ts: z.number().describe('Unix seconds.'),
      candidates: z
        .array(
          z.object({
            id: z.string(),
            content_type: contentTypeSchema,
            summary: z.string(),
            similarity: z.number().describe('Cosine.'),
          }),
        )
        .optional()
        .describe(
          'Stored memories that may be about the same subject, the nearest first; all were kept, since no model ruled. To replace one, send the text again with its id as replaces.',
        ),
    }),
  },
  'mem.list_projects': {
    input: z.object({ ...ownerFields, limit: count(bounds.limit, 'Most results.').default(50) }),
    output: z.object({
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
      metadata: z.object({ returned: z.number() }),
    }),
  },
  'mem.search': {
    input: z.object({
      ...selectionFields,
      query: queryField,
      scope: scopeField,
      ...minScoreField,
      ...asOfField,
      ...relatedField,
      limit: count(bounds.limit, 'Most results.').default(20),
    }),
    output: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          snippet: z.string().describe('The passage that fits best, at most 200 characters.'),
          content_type: contentTypeSchema,
          score: z.number().describe('The same as relevance.'),
          relevance: z
            .number()
            .describe('How sure it is that the passage answers, 0 to 1; the same in every search and store.'),
          ts: z.number(),
          chunk_index: z.number(),
          total_chunks: z.number(),
          related: relatedAnswer,
        }),
      ),
      metadata: z.object({
        total: z.number(),
        returned: z.number(),
        next_action: z.literal('use_ids_to_call_mem_get'),
        nearest_score: z.number().optional().describe('Where nothing fits: how relevant the best memory was, 0 to 1.'),
        without: z
          .array(z.enum(missingParts))
          .optional()
          .describe('What could not be used for this search: vectors of the embedder, the reranker that is set.'),
      }),
    }),
  },
  'mem.timeline': {
    input: z.object({
      ...selectionFields,
      days: count(bounds.days, 'How many days back.').default(7),
      limit: count(bounds.limit, 'Most results.').default(20),
      offset: count(bounds.offset, 'How many to skip: the next_offset of the page before.').default(0),
      order: z.enum(['newest', 'oldest']).default('newest').describe('Which come first.'),
    }),
    output: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          content_type: contentTypeSchema,
          summary: z.string(),
          ts: z.number(),
          project_key: z.string(),
        }),
      ),
      metadata: z.object({
        returned: z.number(),
        next_offset: z.number().optional().describe('Asks for the next page; absent on the last.'),
      }),
    }),
  },
  'mem.versions': {
    input: z.object({ ...ownerFields, id: memoryId }),
    output: z.object({
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
    }),
  },
} as const;
