import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { withRelated } from '../links.ts';
import { idSubject } from '../subject.ts';

const IDS = 'must be 1 to 10 ids, repeated or separated by commas';

/** How a query string lists ids. */
const idsText = z
  .union([z.string(), z.array(z.string())], IDS)
  .transform((given) =>
    [given]
      .flat()
      .flatMap((text) => text.split(','))
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  )
  .refine((ids) => ids.length >= 1 && ids.length <= 10, IDS)
  .describe('Ids of memories, repeated or separated by commas, 1 to 10.');

/** The second stage of finding. */
export const get = defineOperation({
  name: 'mem.get',
  title: 'Get memories',
  description:
    'Second of two steps: returns the whole text of memories by the ids that mem.search gave, in the order asked. Ids that are not known are left out.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.get'],
  example: {
    input: { ids: ['mem_1f0c'] },
    output: {
      results: [
        {
          id: 'mem_1f0c',
          content: 'Vectors are kept in pgvector.',
          content_type: 'development',
          summary: 'Vectors are kept in pgvector.',
          tags: ['pgvector'],
          ts: 1_768_912_345,
        },
      ],
    },
  },
  route: {
    method: 'get',
    path: '/memories',
    summary: 'Reads whole memories in the order asked; unknown ids are left out.',
    forms: { ids: idsText },
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ ids, as_of, include_related, ...owned }, context: ProjectMemoryContext) => {
    const memory = await openFor(owned, context);
    const memories = await memory.get(ids, as_of);
    const results = memories.map(({ id, content, contentType, summary, tags, ts }) => ({
      id,
      content,
      content_type: contentType,
      summary,
      tags,
      ts,
    }));
    return { results: include_related ? await withRelated(results, memory, 'with nearest') : results };
  },
});
