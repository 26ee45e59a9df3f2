import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';
import { arbitrationId, ownerFields } from '../wire-schemas.ts';

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
  input: z.object({ ...ownerFields, arbitration_id: arbitrationId }),
  output: z.object({
    arbitration_id: z.number(),
    id: z.string(),
    status: z
      .enum(['restored', 'created'])
      .describe('restored: the state before is present again; created: the skipped text is a memory of its own.'),
  }),
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
