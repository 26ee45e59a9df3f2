import { listDecisionsResponseSchema } from '@contextloom/contracts';
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
