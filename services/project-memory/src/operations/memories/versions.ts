import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { contentTypeSchema } from '../../domain/content-types.ts';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';
import { memoryId, ownerFields } from '../wire-schemas.ts';

/** What a memory said before. */
export const versions = defineOperation({
  name: 'mem.versions',
  title: 'Versions of a memory',
  description: 'Lists all states of one memory with their whole texts, the present one first.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
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
