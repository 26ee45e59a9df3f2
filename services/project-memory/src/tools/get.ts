import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerGet } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { asOfField, ownerFields, relatedField } from '../wire-fields.ts';
import { getAnswerSchema } from '../wire-schemas.ts';

/** The second stage of finding. */
export const get = defineTool({
  name: 'mem.get',
  title: 'Get memories',
  description:
    'Second of two steps: returns the whole text of memories by the ids that mem.search gave, in the order asked. Ids that are not known are left out.',
  input: z.object({
    ...ownerFields,
    ids: z
      .array(z.string().max(256, 'must be at most 256 characters'))
      .min(1, 'must have 1 to 20 ids')
      .max(20, 'must have 1 to 20 ids')
      .describe('Ids of memories, 1 to 20.'),
    ...asOfField,
    ...relatedField,
  }),
  output: getAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerGet(request, deps),
});
