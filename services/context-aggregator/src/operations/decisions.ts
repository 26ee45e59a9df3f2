import { listDecisionsResponseSchema, undoDecisionResponseSchema } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askMemoryProcessor } from '../sources/memories/memory-processor.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleDecision } from './examples.ts';

/** Shows what was decided about a user's facts. */
export const listDecisions = defineOperation({
  name: 'list_decisions',
  title: 'List decisions about facts',
  description:
    "Returns which of a user's facts repeat, replace or correct another, newest first: both texts, where it was said, who decided. undo_decision takes one back.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_decisions,
  example: { input: { user_id: 'ann' }, output: { success: true, decisions: [exampleDecision] } },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor(
      { tool: 'list_decisions', args, answer: listDecisionsResponseSchema },
      toCallDeps(context),
      context,
    ),
});

/** Takes back a decision about a user's facts. */
export const undoDecision = defineOperation({
  name: 'undo_decision',
  title: 'Undo a decision about a fact',
  description:
    'Takes back one decision of list_decisions, by its id: the fact that had lost its place is so again, one that was taken for a repeat is stored.',
  effect: 'replaces',
  hints: { isIdempotent: false, isDestructive: false },
  scope: 'user',
  ...contract.undo_decision,
  example: {
    input: { user_id: 'ann', decision_id: exampleDecision.id },
    output: { success: true, decision: { ...exampleDecision, undone_at: '2026-05-02T08:00:00.000Z' } },
  },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor(
      { tool: 'undo_decision', args, answer: undoDecisionResponseSchema },
      toCallDeps(context),
      context,
    ),
});
