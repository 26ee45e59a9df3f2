import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerLink } from '../link-answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { linkFields } from '../wire-fields.ts';
import { linkAnswerSchema } from '../wire-schemas.ts';

/** Draws a link. */
export const link = defineTool({
  name: 'mem.link',
  title: 'Link two memories',
  description:
    'Links a memory with another one, of the same project or not, such as a test with what it tests. include_related of mem.search and mem.get shows links in both directions.',
  input: z.object(linkFields),
  output: linkAnswerSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerLink(request, deps),
});
