import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { toDecisionAnswer } from '../answers.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleDecision } from './examples.ts';

/** Undoes a decision about a fact. */
export const undoDecision = defineOperation({
  name: 'undo_decision',
  title: 'Undo a decision about a fact',
  description:
    'Takes back one decision of list_decisions: a fact that was superseded is so again, one that was taken for a repeat is stored.',
  effect: 'replaces',
  hints: { isDestructive: false, isIdempotent: false },
  scope: 'user',
  ...contract.undo_decision,
  example: {
    input: { user_id: 'ann', decision_id: exampleDecision.id },
    output: { success: true, decision: { ...exampleDecision, undone_at: '2026-03-03T08:00:00.000Z' } },
  },
  run: async ({ user_id: userId, decision_id: id }, { deps: { processor } }: MemoryProcessorContext) => ({
    success: true as const,
    decision: toDecisionAnswer(await processor.undoDecision(userId, id)),
  }),
});
