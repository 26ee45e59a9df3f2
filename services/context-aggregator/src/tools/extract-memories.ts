import { extractMemoriesRequestSchema, extractMemoriesResponseSchema } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../deps.ts';
import { askMemoryProcessor } from '../sources/memory-processor.ts';

/** Shows which memories a conversation would give, without saving them. */
export const extractMemories = defineTool({
  name: 'extract_memories',
  title: 'Extract memories',
  description:
    'Reads a conversation and returns the rated memories in it. Saves nothing; to save them use store_conversation_memory.',
  input: extractMemoriesRequestSchema,
  output: extractMemoriesResponseSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: (args, deps: AggregatorDeps, call) =>
    askMemoryProcessor({ tool: 'extract_memories', args, answer: extractMemoriesResponseSchema }, deps, call),
});
