import { listDecisionsRequestSchema, listDecisionsResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { toDecisionAnswer } from '../answers.ts';
import type { MemoryProcessorDeps } from './deps.ts';

/** Shows what was decided about one user's facts. */
export const listDecisions = defineTool({
  name: 'list_decisions',
  title: 'List decisions about facts',
  description:
    "Returns which of a user's facts were taken for a repeat, a change or a correction of another, newest first, with both texts, where it was said, and who decided.",
  input: listDecisionsRequestSchema,
  output: listDecisionsResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ user_id: userId }, { processor }: MemoryProcessorDeps) => ({
    success: true as const,
    decisions: (await processor.listDecisions(userId)).map(toDecisionAnswer),
  }),
});
