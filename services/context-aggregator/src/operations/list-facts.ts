import { listFactsResponseSchema } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askMemoryProcessor } from '../sources/memories/memory-processor.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleDecision } from './examples.ts';

/** Shows a user's facts, and when they were so. */
export const listFacts = defineOperation({
  name: 'list_facts',
  title: 'List facts about a user',
  description:
    'Returns the facts that a model drew from what a user said: those that are so now, those of a day (as_of), or all, with what took their place.',
  effect: 'reads',
  scope: 'user',
  ...contract.list_facts,
  example: {
    input: { user_id: 'ann', as_of: '2026-05-02' },
    output: {
      success: true,
      facts: [{ id: 'fact-2', content: exampleDecision.fact, said_at: '2026-05-01T09:30:00.000Z', mentions: 1 }],
    },
  },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'list_facts', args, answer: listFactsResponseSchema }, toCallDeps(context), context),
});
