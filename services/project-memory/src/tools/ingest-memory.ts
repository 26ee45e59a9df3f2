import { ContextloomError } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerIngest } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { ingestFields } from '../wire-fields.ts';
import { ingestAnswerSchema } from '../wire-schemas.ts';

/** Takes a memory in; everything but the text and its type is worked out here. */
export const ingestMemory = defineTool({
  name: 'mem.ingest_memory',
  title: 'Ingest a memory',
  description:
    'Stores what was learned about a project: requirement, plan, development, testing or insight. Name the project (project_key, or project_name). The server makes the summary, tags and index itself, and where a stored memory is about the same subject, the new one may take its place (status updated, same id) or be left out as nothing new (skipped). If the answer names candidates that the text supersedes, send it again with replaces. Do not send source.',
  input: z.looseObject(ingestFields),
  output: ingestAnswerSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  run: (request, deps: MemoryDeps) => {
    if ('source' in request) {
      throw new ContextloomError('invalid', 'source is not taken any more: leave it out', { field: 'source' });
    }
    return answerIngest(request, deps);
  },
});
