import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** Draws a link. */
export const link = defineOperation({
  name: 'mem.link',
  title: 'Link two memories',
  description:
    'Links a memory with another one, of the same project or not, such as a test with what it tests. include_related of mem.search and mem.get shows links in both directions.',
  effect: 'adds',
  hints: { isIdempotent: true },
  scope: 'project',
  subject: idSubject,
  ...contract['mem.link'],
  example: {
    input: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests' },
    output: { from_id: 'mem_1f0c', to_id: 'mem_77aa', relation: 'tests', status: 'created' },
  },
  route: {
    method: 'post',
    path: '/links',
    summary: 'Links a memory with another one.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, from_id, to_id, relation }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    return { from_id, to_id, relation, status: await memory.link({ fromId: from_id, toId: to_id, relation }) };
  },
});
