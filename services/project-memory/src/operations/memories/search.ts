import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { withRelated } from '../links.ts';
import { selectionSubject } from '../subject.ts';

/** The first stage of finding. */
export const search = defineOperation({
  name: 'mem.search',
  title: 'Search memories',
  description:
    'First of two steps: finds memories by meaning and by word and returns a snippet of each (at most 200 characters). Then call mem.get with the ids that matter; do not answer from snippets. Without a project, all projects are searched; an unknown project gives no results.',
  effect: 'reads',
  scope: 'project',
  subject: selectionSubject,
  ...contract['mem.search'],
  example: {
    input: { query: 'Where are vectors kept?', project_key: 'agent-mem', limit: 5 },
    output: {
      results: [
        {
          id: 'mem_1f0c',
          snippet: 'Vectors are kept in pgvector.',
          content_type: 'development',
          score: 1,
          relevance: 1,
          ts: 1_768_912_345,
          chunk_index: 0,
          total_chunks: 1,
        },
      ],
      metadata: { total: 1, returned: 1, next_action: 'use_ids_to_call_mem_get' },
    },
  },
  route: {
    method: 'get',
    path: '/memories/search',
    summary: 'Finds memories by meaning and by word; a snippet of each.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, include_related, ...request }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    const { results: found, total, nearest, without } = await memory.search(request);
    const results = include_related ? await withRelated(found, memory, 'linked alone') : found;
    const metadata = {
      total,
      returned: results.length,
      next_action: 'use_ids_to_call_mem_get' as const,
      ...(total === 0 && { nearest_score: nearest }),
      ...(without.length > 0 && { without }),
    };
    return { results, metadata };
  },
});
