import { listFactsRequestSchema, listFactsResponseSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/mcp-kit';
import { askMemoryProcessor } from '../sources/memory-processor.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';

/** Shows a user's facts, and when they were so. */
export const listFacts = defineOperation({
  name: 'list_facts',
  title: 'List facts about a user',
  description:
    'Returns the facts that a model drew from what a user said: those that are so now, those of a day (as_of), or all, with what took their place.',
  effect: 'reads',
  scope: 'user',
  input: listFactsRequestSchema,
  output: listFactsResponseSchema,
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'list_facts', args, answer: listFactsResponseSchema }, toCallDeps(context), context),
});
