import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';
import { memoryId, ownerFields } from '../wire-schemas.ts';

/** Deletes a memory, which leaves its versions. */
export const deleteMemory = defineOperation({
  name: 'mem.delete',
  title: 'Delete a memory',
  description:
    'Deletes one memory with its links: no search or list finds it any more. mem.versions still shows what it said, and mem.ingest_memory with replaces puts a text in its place. To correct a memory, use replaces instead.',
  effect: 'deletes',
  scope: 'project',
  subject: idSubject,
  input: z.object({ ...ownerFields, id: memoryId }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
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
