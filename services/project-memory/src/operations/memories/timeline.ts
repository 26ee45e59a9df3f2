import { defineOperation } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { contentTypeSchema } from '../../domain/content-types.ts';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { selectionSubject } from '../subject.ts';
import { bounds, count, selectionFields } from '../wire-schemas.ts';

/** What happened lately. */
export const timeline = defineOperation({
  name: 'mem.timeline',
  title: 'Timeline of memories',
  description: 'Lists the memories of the last days with their summaries, newest first.',
  effect: 'reads',
  scope: 'project',
  subject: selectionSubject,
  input: z.object({
    ...selectionFields,
    days: count(bounds.days, 'How many days back.').default(7),
    limit: count(bounds.limit, 'Most results.').default(20),
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
    metadata: z.object({ returned: z.number() }),
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
  run: async ({ owner_id, days, limit, ...project }, context: ProjectMemoryContext) => {
    const entries = await (await openFor({ owner_id }, context)).timeline(project, days, limit);
    const results = entries.map(({ id, contentType, summary, ts, projectKey }) => ({
      ...{ id, content_type: contentType, summary, ts, project_key: projectKey },
    }));
    return { results, metadata: { returned: results.length } };
  },
});
