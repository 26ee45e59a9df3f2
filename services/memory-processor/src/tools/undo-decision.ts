import { undoDecisionRequestSchema, undoDecisionResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { toDecisionAnswer } from '../answers.ts';
import type { MemoryProcessorDeps } from './deps.ts';

/** Undoes a decision about a fact. */
export const undoDecision = defineTool({
  name: 'undo_decision',
  title: 'Undo a decision about a fact',
  description:
    'Takes back one decision of list_decisions: a fact that was superseded is so again, one that was taken for a repeat is stored.',
  input: undoDecisionRequestSchema,
  output: undoDecisionResponseSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async ({ user_id: userId, decision_id: id }, { processor }: MemoryProcessorDeps) => ({
    success: true as const,
    decision: toDecisionAnswer(await processor.undoDecision(userId, id)),
  }),
});
