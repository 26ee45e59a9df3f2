import { listDecisionsRequestSchema, listDecisionsResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { askMemoryProcessor } from '../sources/memory-processor.ts';

/** Shows what was decided about a user's facts. */
export const listDecisions = defineTool({
  name: 'list_decisions',
  title: 'List decisions about facts',
  description:
    "Returns which of a user's facts repeat, replace or correct another, newest first: both texts, where it was said, who decided. undo_decision takes one back.",
  input: listDecisionsRequestSchema,
  output: listDecisionsResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (args, deps: AggregatorDeps, call) =>
    askMemoryProcessor({ tool: 'list_decisions', args, answer: listDecisionsResponseSchema }, deps, call),
});
