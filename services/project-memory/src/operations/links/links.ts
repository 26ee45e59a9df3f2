import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';
import { toRelated } from './related.ts';

/** What a memory is linked with. */
export const links = defineOperation({
  name: 'mem.links',
  title: 'Links of a memory',
  description: 'Lists what a memory is linked with, in both directions, in the order in which the links were drawn.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.links'],
  example: {
    input: { id: 'mem_1f0c' },
    output: {
      id: 'mem_1f0c',
      results: [
        {
          id: 'mem_77aa',
          relation: 'tests',
          direction: 'outgoing',
          content_type: 'testing',
          summary: 'A search over 50,000 memories.',
        },
      ],
    },
  },
  route: {
    method: 'get',
    path: '/memories/:id/links',
    summary: 'Lists what a memory is linked with, in both directions.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ id, ...owned }, context: ProjectMemoryContext) => ({
    id,
    results: toRelated(await (await openFor(owned, context)).links(id)),
  }),
});
