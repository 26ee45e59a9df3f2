import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** Removes links. */
export const unlink = defineOperation({
  name: 'mem.unlink',
  title: 'Remove a link',
  description:
    'Removes the link from one memory to another one, or with no relation named all links from the one to the other.',
  effect: 'deletes',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.unlink'],
  example: { input: { from_id: 'mem_1f0c', to_id: 'mem_77aa' }, output: { removed: 1 } },
  route: {
    method: 'delete',
    path: '/links',
    summary: 'Removes the links from one memory to another one.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, from_id, to_id, relation }, context: ProjectMemoryContext) => {
    const memory = await openFor({ owner_id }, context);
    return { removed: await memory.unlink({ fromId: from_id, toId: to_id, relation }) };
  },
});
