import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerArbitrations } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { bounds, count, memoryId, selectionFields } from '../wire-fields.ts';
import { arbitrationsAnswerSchema } from '../wire-schemas.ts';

/** How conflicts were settled. */
export const arbitrations = defineTool({
  name: 'mem.arbitrations',
  title: 'Arbitrations',
  description:
    'Lists how new memories were settled against stored ones of the same subject (REPLACE, KEEP_BOTH, SKIP), newest first; of one memory with id.',
  input: z.object({
    ...selectionFields,
    id: memoryId.optional(),
    limit: count(bounds.limit, 'Most results.').default(20),
  }),
  output: arbitrationsAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerArbitrations(request, deps),
});
