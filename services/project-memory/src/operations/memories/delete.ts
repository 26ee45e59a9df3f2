import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** Deletes a memory, which leaves its versions. */
export const deleteMemory = defineOperation({
  name: 'mem.delete',
  title: 'Delete a memory',
  description:
    'Deletes one memory with its links: no search or list finds it any more. mem.versions still shows what it said, and mem.ingest_memory with replaces puts a text in its place. To correct a memory, use replaces instead.',
  effect: 'deletes',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.delete'],
  example: { input: { id: 'mem_1f0c' }, output: { id: 'mem_1f0c', deleted: true } },
  route: {
    method: 'delete',
    path: '/memories/:id',
    summary: 'Deletes a memory; its versions stay.',
    errors: ['invalid', 'forbidden', 'not_found', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ id, ...owned }, context: ProjectMemoryContext) => {
    await (await openFor(owned, context)).remove(id);
    return { id, deleted: true as const };
  },
});
