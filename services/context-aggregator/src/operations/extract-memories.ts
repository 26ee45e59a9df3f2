import { extractMemoriesResponseSchema } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { askMemoryProcessor } from '../sources/memories/memory-processor.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';
import { exampleConversation, exampleMemory } from './examples.ts';

/** Shows which memories a conversation would give, without saving them. */
export const extractMemories = defineOperation({
  name: 'extract_memories',
  title: 'Extract memories',
  description:
    'Reads a conversation and returns the rated memories in it. Saves nothing; to save them use store_conversation_memory.',
  effect: 'reads',
  // It stores nothing, but each call may cost a model's: not what a key that only reads is given for.
  requires: 'write',
  hints: { isOpenWorld: true },
  scope: 'none',
  ...contract.extract_memories,
  example: {
    input: { conversation_history: exampleConversation },
    output: { success: true, extractor: { kind: 'rules', name: 'rules' }, memories: [exampleMemory] },
  },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor(
      { tool: 'extract_memories', args, answer: extractMemoriesResponseSchema },
      toCallDeps(context),
      context,
    ),
});
