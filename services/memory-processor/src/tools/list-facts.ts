import { listFactsRequestSchema, listFactsResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { toFactAnswer } from '../answers.ts';
import type { MemoryProcessorDeps } from './deps.ts';

/** Shows a user's facts, and when they were so. */
export const listFacts = defineTool({
  name: 'list_facts',
  title: 'List facts about a user',
  description:
    "Returns a user's facts in the order in which they were said: what is so now; with as_of what was so then; with include_superseded all, with what took their place.",
  input: listFactsRequestSchema,
  output: listFactsResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (args, { processor }: MemoryProcessorDeps) => {
    const { user_id: userId, as_of: asOf, include_superseded: includeSuperseded } = args;
    const facts = await processor.listFacts({ userId, asOf, includeSuperseded });
    return { success: true as const, facts: facts.map(toFactAnswer) };
  },
});
