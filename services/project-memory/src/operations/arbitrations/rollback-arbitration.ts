import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** Takes a verdict back. */
export const rollbackArbitration = defineOperation({
  name: 'mem.rollback_arbitration',
  title: 'Roll back an arbitration',
  description:
    'Undoes an arbitration: after REPLACE the memory says again what it said before, and the replacement stays in its versions; after SKIP the text that was left out becomes a memory of its own.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'project',
  subject: idSubject,
  ...contract['mem.rollback_arbitration'],
  example: {
    input: { arbitration_id: 1 },
    output: { arbitration_id: 1, id: 'mem_1f0c', status: 'restored' },
  },
  route: {
    method: 'post',
    path: '/arbitrations/rollback',
    summary: 'Undoes an arbitration.',
    errors: ['invalid', 'forbidden', 'not_found', 'conflict', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ arbitration_id, ...owned }, context: ProjectMemoryContext) => ({
    arbitration_id,
    ...(await (await openFor(owned, context)).rollback(arbitration_id)),
  }),
});
