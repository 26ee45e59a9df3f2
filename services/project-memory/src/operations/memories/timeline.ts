import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { selectionSubject } from '../subject.ts';

/** What happened lately. */
export const timeline = defineOperation({
  name: 'mem.timeline',
  title: 'Get the timeline of memories',
  description: 'Lists the memories of the last days with their summaries, newest first, page by page.',
  effect: 'reads',
  scope: 'project',
  subject: selectionSubject,
  ...contract['mem.timeline'],
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
