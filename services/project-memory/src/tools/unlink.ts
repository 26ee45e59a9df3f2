import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerUnlink } from '../link-answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { unlinkFields } from '../wire-fields.ts';
import { unlinkAnswerSchema } from '../wire-schemas.ts';

/** Removes links. */
export const unlink = defineTool({
  name: 'mem.unlink',
  title: 'Remove a link',
  description:
    'Removes the link from one memory to another one, or with no relation named all links from the one to the other.',
  input: z.object(unlinkFields),
  output: unlinkAnswerSchema,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerUnlink(request, deps),
});
