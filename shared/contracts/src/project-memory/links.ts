import { z } from 'zod';
import {
  arbitrationActions,
  arbitrationId,
  bounds,
  count,
  linkFields,
  memoryId,
  ownerFields,
  relatedSchema,
  relations,
  selectionFields,
  unlinkFields,
} from './fields.ts';

/** The operations about links and arbitrations. */
export const linkOperations = {
  'mem.link': {
    input: z.object(linkFields),
    output: z.object({
      from_id: z.string(),
      to_id: z.string(),
      relation: z.enum(relations),
      status: z.enum(['created', 'exists']),
    }),
  },
  'mem.links': {
    input: z.object({ ...ownerFields, id: memoryId }),
    output: z.object({ id: z.string(), results: relatedSchema }),
  },
  'mem.unlink': { input: z.object(unlinkFields), output: z.object({ removed: z.number() }) },
  'mem.arbitrations': {
    input: z.object({
      ...selectionFields,
      id: memoryId.optional(),
      limit: count(bounds.limit, 'Most results.').default(20),
    }),
    output: z.object({
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
      metadata: z.object({ returned: z.number() }),
    }),
  },
  'mem.rollback_arbitration': {
    input: z.object({ ...ownerFields, arbitration_id: arbitrationId }),
    output: z.object({
      arbitration_id: z.number(),
      id: z.string(),
      status: z
        .enum(['restored', 'created'])
        .describe('restored: the state before is present again; created: the skipped text is a memory of its own.'),
    }),
  },
} as const;
