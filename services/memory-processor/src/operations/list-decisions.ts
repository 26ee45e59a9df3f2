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
