import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerLinks } from '../link-answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { memoryId, ownerFields } from '../wire-fields.ts';
import { linksAnswerSchema } from '../wire-schemas.ts';

/** What a memory is linked with. */
export const links = defineTool({
  name: 'mem.links',
  title: 'Links of a memory',
  description: 'Lists what a memory is linked with, in both directions, in the order in which the links were drawn.',
  input: z.object({ ...ownerFields, id: memoryId }),
  output: linksAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerLinks(request, deps),
});
