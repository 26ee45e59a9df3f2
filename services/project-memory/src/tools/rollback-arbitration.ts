import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerRollback } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { arbitrationId, ownerFields } from '../wire-fields.ts';
import { rollbackAnswerSchema } from '../wire-schemas.ts';

/** Takes a verdict back. */
export const rollbackArbitration = defineTool({
  name: 'mem.rollback_arbitration',
  title: 'Roll back an arbitration',
  description:
    'Undoes an arbitration: after REPLACE the memory says again what it said before, and the replacement stays in its versions; after SKIP the text that was left out becomes a memory of its own.',
  input: z.object({ ...ownerFields, arbitration_id: arbitrationId }),
  output: rollbackAnswerSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerRollback(request, deps),
});
