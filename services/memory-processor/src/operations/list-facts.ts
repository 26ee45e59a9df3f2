import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { toFactAnswer } from '../answers.ts';
import type { MemoryProcessorContext } from './deps.ts';

/** Shows a user's facts, and when they were so. */
export const listFacts = defineOperation({
  name: 'list_facts',
  title: 'List facts about a user',
  description:
    "Returns a user's facts in the order in which they were said: what is so now; with as_of what was so then; with include_superseded all, with what took their place.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_facts,
  example: {
    input: { user_id: 'ann', as_of: '2026-03-01' },
    output: {
      success: true,
      facts: [
        {
          id: 'fact-1',
          content: 'Ann lives in Hamburg.',
          said_at: '2026-02-01T08:00:00.000Z',
          mentions: 2,
          ended_at: '2026-04-01T00:00:00.000Z',
          ended_on: '2026-04',
          valid_to: '2026-03-02T08:00:00.000Z',
          superseded_by: 'fact-2',
        },
      ],
    },
  },
  run: async (args, { deps: { processor } }: MemoryProcessorContext) => {
    const { user_id: userId, as_of: asOf, include_superseded: includeSuperseded } = args;
    const facts = await processor.listFacts({ userId, asOf, includeSuperseded });
    return { success: true as const, facts: facts.map(toFactAnswer) };
  },
});
