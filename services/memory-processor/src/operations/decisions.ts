import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { toDecisionAnswer } from '../answers.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleDecision } from './examples.ts';

/** Shows what was decided about one user's facts. */
export const listDecisions = defineOperation({
  name: 'list_decisions',
  title: 'List decisions about facts',
  description:
    "Returns which of a user's facts were taken for a repeat, a change or a correction of another, newest first, with both texts, where it was said, and who decided.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_decisions,
  example: { input: { user_id: 'ann' }, output: { success: true, decisions: [exampleDecision] } },
  run: async ({ user_id: userId }, { deps: { processor } }: MemoryProcessorContext) => ({
    success: true as const,
    decisions: (await processor.listDecisions(userId)).map(toDecisionAnswer),
  }),
});

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
