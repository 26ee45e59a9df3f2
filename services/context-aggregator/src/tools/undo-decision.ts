import { undoDecisionRequestSchema, undoDecisionResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { askMemoryProcessor } from '../sources/memory-processor.ts';

/** Takes back a decision about a user's facts. */
export const undoDecision = defineTool({
  name: 'undo_decision',
  title: 'Undo a decision about a fact',
  description:
    'Takes back one decision of list_decisions, by its id: the fact that had lost its place is so again, one that was taken for a repeat is stored.',
  input: undoDecisionRequestSchema,
  output: undoDecisionResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: (args, deps: AggregatorDeps, call) =>
    askMemoryProcessor({ tool: 'undo_decision', args, answer: undoDecisionResponseSchema }, deps, call),
});
