import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerVersions } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { memoryId, ownerFields } from '../wire-fields.ts';
import { versionsAnswerSchema } from '../wire-schemas.ts';

/** What a memory said before. */
export const versions = defineTool({
  name: 'mem.versions',
  title: 'Versions of a memory',
  description: 'Lists all states of one memory with their whole texts, the present one first.',
  input: z.object({ ...ownerFields, id: memoryId }),
  output: versionsAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerVersions(request, deps),
});
