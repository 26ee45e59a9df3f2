import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** What a memory said before. */
export const versions = defineOperation({
  name: 'mem.versions',
  title: 'List versions of a memory',
  description: 'Lists all states of one memory with their whole texts, the present one first.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.versions'],
  example: {
    input: { id: 'mem_1f0c' },
    output: {
      id: 'mem_1f0c',
      results: [
        {
          revision: 1,
          is_current: true,
          content_type: 'development',
          content: 'Vectors are kept in pgvector.',
          summary: 'Vectors are kept in pgvector.',
          tags: ['pgvector'],
          ts: 1_768_912_345,
          replaced_at: null,
        },
      ],
    },
  },
  route: {
    method: 'get',
    path: '/memories/:id/versions',
    summary: 'Lists all states of a memory, the present one first.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ id, ...owned }, context: ProjectMemoryContext) => {
    const versions = await (await openFor(owned, context)).versions(id);
    const results = versions.map(({ contentType, replacedAt, ...version }) => ({
      ...version,
      is_current: replacedAt === undefined,
      content_type: contentType,
      replaced_at: replacedAt ?? null,
    }));
    return { id, results };
  },
});
