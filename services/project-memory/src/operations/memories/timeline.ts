import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { contentTypeSchema } from '../../domain/content-types.ts';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { selectionSubject } from '../subject.ts';
import { bounds, count, selectionFields } from '../wire-schemas.ts';

/** What happened lately. */
export const timeline = defineOperation({
  name: 'mem.timeline',
  title: 'Timeline of memories',
  description: 'Lists the memories of the last days with their summaries, newest first, page by page.',
  effect: 'reads',
  scope: 'project',
  subject: selectionSubject,
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
  example: {
    input: { project_key: 'agent-mem', days: 7 },
    output: {
      results: [
        {
          id: 'mem_1f0c',
          content_type: 'development',
          summary: 'Vectors are kept in pgvector.',
          ts: 1_768_912_345,
          project_key: 'agent-mem',
        },
      ],
      metadata: { returned: 1 },
    },
  },
  route: {
    method: 'get',
    path: '/memories/timeline',
    summary: 'Lists memories of the last days, newest first.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, days, limit, offset, order, ...project }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    // One more shows whether another page follows.
    const entries = await memory.timeline(project, days, { limit: limit + 1, offset, order });
    const results = entries.slice(0, limit).map(({ id, contentType, summary, ts, projectKey }) => ({
      id,
      content_type: contentType,
      summary,
      ts,
      project_key: projectKey,
    }));
    const next = entries.length > limit ? { next_offset: offset + limit } : {};
    return { results, metadata: { returned: results.length, ...next } };
  },
});
