import { listFactsRequestSchema, listFactsResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { askMemoryProcessor } from '../sources/memory-processor.ts';

/** Shows a user's facts, and when they were so. */
export const listFacts = defineTool({
  name: 'list_facts',
  title: 'List facts about a user',
  description:
    'Returns the facts that a model drew from what a user said: those that are so now, those of a day (as_of), or all, with what took their place.',
  input: listFactsRequestSchema,
  output: listFactsResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (args, deps: AggregatorDeps, call) =>
    askMemoryProcessor({ tool: 'list_facts', args, answer: listFactsResponseSchema }, deps, call),
});
