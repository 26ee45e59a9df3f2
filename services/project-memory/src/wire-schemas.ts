import { z } from 'zod';
import { contentTypeSchema } from './domain/content-types.ts';
import { relations } from './domain/links.ts';
import { arbitrationActions } from './domain/memory.ts';
import { missingParts } from './domain/search.ts';

/** Memories that have to do with one. */
const relatedSchema = z.array(
  z.object({
    id: z.string(),
    relation: z.enum([...relations, 'similar']).describe('similar: near by meaning, and not linked.'),
    direction: z.enum(['outgoing', 'incoming', 'none']).describe('outgoing: the link begins at this memory.'),
    content_type: contentTypeSchema,
    summary: z.string(),
  }),
);

/** What became of a memory. */
export const ingestAnswerSchema = z.object({
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
});

const related = relatedSchema.optional().describe('With include_related alone.');

/** The first stage's answer. */
export const searchAnswerSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      snippet: z.string().describe('The passage that fits best, at most 200 characters.'),
      content_type: contentTypeSchema,
      score: z.number().describe('0 to 1; 1 leads by meaning and by words, 0.5 by one of them alone.'),
      ts: z.number(),
      chunk_index: z.number(),
      total_chunks: z.number(),
      related,
    }),
  ),
  metadata: z.object({
    total: z.number(),
    returned: z.number(),
    next_action: z.literal('use_ids_to_call_mem_get'),
    without: z
      .array(z.enum(missingParts))
      .optional()
      .describe('What could not be used for this search: vectors of the embedder, the reranker that is set.'),
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
      related,
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

/** What became of a link. */
export const linkAnswerSchema = z.object({
  from_id: z.string(),
  to_id: z.string(),
  relation: z.enum(relations),
  status: z.enum(['created', 'exists']),
});

/** How many links were removed. */
export const unlinkAnswerSchema = z.object({ removed: z.number() });

/** The links of one memory. */
export const linksAnswerSchema = z.object({ id: z.string(), results: relatedSchema });

const counted = z.number();

/** What an import did. */
export const importAnswerSchema = z.object({
  imported: z.object({ project: counted, memory: counted, arbitration: counted, link: counted }),
  unchanged: z.number(),
  refused: z.array(z.object({ line: z.number(), problem: z.string() })).describe('The first hundred.'),
  refused_count: z.number(),
  is_complete: z.boolean().describe('false: the export was cut off.'),
});
