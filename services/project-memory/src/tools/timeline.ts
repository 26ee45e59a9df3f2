import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerTimeline } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { bounds, count, selectionFields } from '../wire-fields.ts';
import { timelineAnswerSchema } from '../wire-schemas.ts';

/** What happened lately. */
export const timeline = defineTool({
  name: 'mem.timeline',
  title: 'Timeline of memories',
  description: 'Lists the memories of the last days with their summaries, newest first.',
  input: z.object({
    ...selectionFields,
    days: count(bounds.days, 'How many days back.').default(7),
    limit: count(bounds.limit, 'Most results.').default(20),
  }),
  output: timelineAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerTimeline(request, deps),
});
